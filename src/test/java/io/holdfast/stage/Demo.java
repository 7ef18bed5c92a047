package io.holdfast.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.boot.PackagedProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Three apps share one PostgreSQL. They stop one after another, and the database goes with the last of them. All of it
 * is real: the servers, the probes, the orders.
 */
public final class Demo {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NAMES = List.of("billing", "reports", "web");

    private final PrintStream out;
    private final Duration pause;
    private final Path folder;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, SmallApp> apps = new LinkedHashMap<>();
    private PostgresMachine postgres;
    private Webhook webhook;
    private PackagedProgram holdfast;

    private Demo(PrintStream out, Duration pause) {
        this.out = out;
        this.pause = pause;
        try {
            this.folder = Files.createTempDirectory("holdfast-demo");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Any argument makes it go on without a pause. */
    public static void main(String[] arguments) {
        var pause = arguments.length == 0 ? Duration.ofSeconds(2) : Duration.ZERO;
        var demo = new Demo(System.out, pause);
        // Or it would keep what it unpacks beside the folder.
        System.setProperty("ot.epg.working-dir", demo.folder.resolve("work").toString());
        // Also when somebody has seen enough, or something has failed.
        Runtime.getRuntime().addShutdownHook(new Thread(demo::close));
        try {
            demo.run();
            System.exit(0);
        } catch (SQLException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private void run() throws SQLException, InterruptedException {
        setUp();
        for (var name : NAMES) {
            title("'" + name + "' is about to go down, and asks for its database to be stopped.");
            show(post("/v1/apps/" + name + "/stop").at("/results/0"));
            apps.get(name).goDown();
            say("   " + name + " is down now. " + answerOfTheDatabase());
            Thread.sleep(pause);
        }
        title("What was decided, the newest first:");
        for (var row : get("/v1/databases/" + database() + "/decisions").path("decisions")) {
            say("   %s  %-22s %s"
                    .formatted(
                            row.path("at").asText(),
                            row.path("decision").asText(),
                            row.path("reason").asText()));
        }
        Thread.sleep(pause);
        title("'reports' is about to come up, and asks for its database first.");
        show(post("/v1/apps/reports/start").at("/results/0"));
        apps.get("reports").comeUp();
        say("   " + answerOfTheDatabase());
        title("That was it. Everything is taken down again.");
    }

    private void setUp() throws SQLException {
        title("A PostgreSQL, three apps that write to it, and Holdfast are started.");
        postgres = new PostgresMachine(folder);
        postgres.ask("create table visits (app text)");
        webhook = new Webhook(postgres);
        // A machine that is busy stops and starts a PostgreSQL slowly.
        holdfast = PackagedProgram.start(Map.of(
                "HOLDFAST_DATA_DIR", folder.resolve("holdfast").toString(),
                "HOLDFAST_POWER_ANSWER_MAX", "2m",
                "HOLDFAST_POWER_LOCK_TTL", "5m",
                "HOLDFAST_POWER_LEASE_MARGIN", "1m",
                "HOLDFAST_ACTUATOR_CALL_TIMEOUT", "30s",
                "HOLDFAST_PROBE_TIMEOUT", "20s"));
        put(
                "/v1/databases/" + database(),
                Map.of(
                        "type",
                        "postgres",
                        "host",
                        "127.0.0.1",
                        "port",
                        postgres.port(),
                        "actuator",
                        webhook.actuator()));
        for (var name : NAMES) {
            var app = new SmallApp();
            apps.put(name, app);
            postgres.ask("insert into visits values ('" + name + "')");
            put("/v1/apps/" + name, Map.of("url", app.url().toString(), "databases", List.of(databaseId())));
        }
        say("   Holdfast is at " + holdfast.address() + ", the database at " + databaseId() + ".");
        say("   " + answerOfTheDatabase());
    }

    private String databaseId() {
        return "127.0.0.1:" + postgres.port();
    }

    private String database() {
        return databaseId().replace(":", "%3A");
    }

    private String answerOfTheDatabase() {
        try {
            return "The database answers: it has rows of " + postgres.ask("select count(*) from visits") + " apps.";
        } catch (SQLException e) {
            return "The database does not answer: "
                    + e.getMessage().lines().findFirst().orElse("");
        }
    }

    private void show(JsonNode result) {
        say("   decision: " + result.path("decision").asText());
        say("   reason:   " + result.path("reason").asText());
        for (var sharer : result.path("sharers")) {
            say("   saw:      %s is %s (%s)"
                    .formatted(
                            sharer.path("app").asText(),
                            sharer.path("status").asText(),
                            sharer.path("detail").asText()));
        }
    }

    private void title(String text) {
        say("");
        say("== " + text);
    }

    private void say(String text) {
        out.println(text);
        out.flush();
    }

    private void put(String path, Object body) {
        send("PUT", path, BodyPublishers.ofString(JSON.valueToTree(body).toString()));
    }

    private JsonNode post(String path) {
        say("   $ curl -X POST " + holdfast.address().resolve(path));
        return send("POST", path, BodyPublishers.noBody());
    }

    private JsonNode get(String path) {
        say("   $ curl " + holdfast.address().resolve(path));
        return send("GET", path, BodyPublishers.noBody());
    }

    private JsonNode send(String method, String path, HttpRequest.BodyPublisher body) {
        try {
            var request = HttpRequest.newBuilder(URI.create(holdfast.address() + path))
                    .header("Content-Type", "application/json")
                    .method(method, body)
                    .build();
            var answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IllegalStateException(method + " " + path + " answered " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends every process and removes every file, however far it has come. */
    private void close() {
        if (holdfast != null) {
            holdfast.close();
        }
        if (webhook != null) {
            webhook.close();
        }
        apps.values().forEach(SmallApp::close);
        if (postgres != null) {
            postgres.close();
        }
        client.shutdownNow();
        deleteFolder();
    }

    /** The server may be told to end by others, too, and then still be writing its last. */
    private void deleteFolder() {
        var deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (Files.exists(folder) && System.nanoTime() < deadline) {
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            } catch (IOException | UncheckedIOException changedMeanwhile) {
                Thread.onSpinWait();
            }
        }
    }
}
