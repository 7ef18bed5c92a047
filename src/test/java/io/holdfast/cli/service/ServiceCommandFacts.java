package io.holdfast.cli.service;

import static io.holdfast.cli.CliCalls.unique;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.Shell;
import io.restassured.http.ContentType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services, their status and their deployments. */
public interface ServiceCommandFacts extends CliCalls {
    @Test
    default void aServiceIsRegisteredListedShownAndRemoved() {
        var web = unique("web");

        assertThat(good("services", "put", web, "--kubernetes", "shop/Deployment/web", "--deploy-deadline", "20m"))
                .containsPattern("(?m)^id +" + web + "$")
                .containsPattern("(?m)^status +IDLE$")
                .containsPattern("(?m)^deploy_deadline +20m00s$");
        assertThat(good("services", "list", "--prefix", web, "--status", "IDLE"))
                .startsWith("SERVICE ")
                .containsPattern("(?m)^" + web + " +IDLE +20\\S+Z +- +[0-9]+ +- +-$");
        assertThat(good("services", "list", "--prefix", web, "--status", "FAILED"))
                .isEmpty();
        assertThat(good("services", "show", web))
                .containsPattern("(?m)^by +api$")
                .containsPattern("(?m)^observe_kubernetes +shop/Deployment/web$");
        assertThat(json("services", "show", web).at("/observe/kubernetes/kind").asText())
                .isEqualTo("Deployment");

        assertThat(good("services", "rm", web)).isEqualTo("Removed '%s'.\n".formatted(web));
        assertThat(refused(1, "services", "show", web)).contains("There is no service");
        assertThat(refused(1, "services", "rm", web)).contains("There is no service");
        assertThat(good("services", "history", web)).containsPattern("(?m) IDLE +- +api ");
    }

    @Test
    default void aStatusIsSetByTheRules() {
        var web = registered();

        assertThat(refused(3, "services", "set", web, "CRASHING")).contains("is IDLE and cannot become CRASHING");
        good("services", "set", web, "DEPLOYING", "--reason", "by hand");
        assertThat(refused(3, "services", "set", web, "STOPPED", "--if-version", "1"))
                .contains("has changed");
        assertThat(refused(2, "services", "set", web, "ASLEEP")).contains("status must be one of");
        assertThat(good("services", "set", web, "STOPPED", "--reason", "stopped by ada"))
                .containsPattern("(?m)^status +STOPPED$");

        assertThat(good("services", "show", web)).containsPattern("(?m)^reason +stopped by ada$");
        assertThat(good("services", "history", web, "--limit", "2"))
                .containsPattern("DEPLOYING +STOPPED +api .*stopped by ada\n.* IDLE +DEPLOYING +api .*by hand\n$");
    }

    @Test
    default void aDeploymentIsBegunAndReportedByAScript() {
        var web = registered();

        var begun = good("services", "deploy", web, "--reason", "release 41", "--deadline", "30m", "-o", "plain");
        var id = field("deployment_id", begun);
        var epoch = field("epoch", begun);

        assertThat(field("deadline", begun)).endsWith("Z");
        assertThat(good("services", "show", web))
                .containsPattern("(?m)^status +DEPLOYING$")
                .containsPattern("(?m)^epoch +" + epoch + "$")
                .containsPattern("(?m)^deployment_reason +release 41$")
                .containsPattern("(?m)^deployment_remaining +(29m|30m)");
        assertThat(refused(3, "services", "deploy", web)).contains("cannot become DEPLOYING");
        assertThat(json("services", "deploy", web, "--deployment-id", id)
                        .path("epoch")
                        .asText())
                .isEqualTo(epoch);
        assertThat(refused(3, result(web, id, "7", "--status", "RUNNING"))).contains("that is not the latest");

        assertThat(good(result(web, id, epoch, "--rolled-back", "--reason", "no quota")))
                .containsPattern("(?m)^status +RUNNING$");
        good(result(web, id, epoch, "--rolled-back"));
        assertThat(refused(3, result(web, id, epoch, "--status", "FAILED"))).contains("was ended with RUNNING");
        assertThat(refused(3, "services", "deploy", web, "--deployment-id", id))
                .isEqualTo("holdfast: Deployment %s of '%s' has ended already, with RUNNING.\n".formatted(id, web));
    }

    @Test
    default void aCommandDeploys(@TempDir Path folder) throws IOException {
        var web = registered();
        var got = folder.resolve("got");

        var deploy = holdfast(
                "services",
                "deploy",
                web,
                "--",
                "sh",
                "-c",
                "echo \"$HOLDFAST_SERVICE $HOLDFAST_DEPLOYMENT_ID $HOLDFAST_EPOCH\" >" + got);

        assertThat(deploy.exit()).as(deploy.err()).isZero();
        var shown = json("services", "show", web);
        assertThat(shown.path("status").asText()).isEqualTo("RUNNING");
        assertThat(Files.readString(got))
                .isEqualTo("%s %s %s\n"
                        .formatted(
                                web,
                                shown.at("/deployment/deployment_id").asText(),
                                shown.at("/deployment/epoch").asText()));
    }

    @Test
    default void aFailedCommandIsFailedOrRolledBack() {
        var web = registered();

        var failed = holdfast("services", "deploy", web, "--", "sh", "-c", "exit 7");
        assertThat(failed.exit()).as(failed.err()).isEqualTo(7);
        assertThat(good("services", "show", web))
                .containsPattern("(?m)^status +FAILED$")
                .containsPattern("(?m)^by +worker$")
                .containsPattern("(?m)^reason +The command ended with exit code 7.$");

        var restored = holdfast("services", "deploy", web, "--rollback-command", "true", "--", "sh", "-c", "exit 7");
        assertThat(restored.exit()).as(restored.err()).isEqualTo(7);
        assertThat(good("services", "show", web))
                .containsPattern("(?m)^status +RUNNING$")
                .containsPattern("(?m)^deployment_rolled_back +true$");

        var lost = holdfast("services", "deploy", web, "--rollback-command", "exit 9", "--", "no-such-command");
        assertThat(lost.exit()).as(lost.err()).isEqualTo(127);
        assertThat(json("services", "show", web).path("status").asText()).isEqualTo("FAILED");
    }

    /** Both requests are written, and their answers are lost: the repetitions change nothing. */
    @Test
    default void aDeploymentWhoseAnswersAreLostIsMadeOnce() throws IOException {
        var web = registered();
        try (var proxy = new LosingProxy(CliCalls.server())) {
            var deploy = holdfastWith(Map.of("HOLDFAST_URL", proxy.url()), "services", "deploy", web, "--", "true");

            assertThat(deploy.exit()).as(deploy.err()).isZero();
            assertThat(deploy.err())
                    .contains("closed the connection")
                    .endsWith("Service '%s' is RUNNING.\n".formatted(web));
        }
        assertThat(good("services", "history", web, "-o", "plain").lines().map(line -> line.split("\t")[2]))
                .containsExactly("RUNNING", "DEPLOYING", "IDLE");
    }

    /** Another writer ends the deployment while the command runs. */
    @Test
    default void aResultThatComesTooLateDoesNotCount(@TempDir Path folder) throws IOException {
        var web = registered();
        var ready = folder.resolve("ready");
        var done = folder.resolve("done");
        var deploy = started(
                "services",
                "deploy",
                web,
                "--",
                "sh",
                "-c",
                "touch %s; while [ ! -e %s ]; do sleep 0.05; done".formatted(ready, done));
        await().until(() -> Files.exists(ready));

        setStatus(web, "STOPPED");
        Files.createFile(done);

        var result = deploy.join();
        assertThat(result.exit()).as(result.err()).isEqualTo(5);
        assertThat(result.err()).contains(" does not count.\n");
        assertThat(json("services", "show", web).path("status").asText()).isEqualTo("STOPPED");
    }

    @Test
    default void theMovesOfAServiceAreWatched() {
        var web = registered();

        // Without a move, only its end is seen.
        var watch = holdfast("services", "watch", web, "--for", "1ms");

        assertThat(watch.exit()).as(watch.err()).isZero();
        assertThat(watch.out()).isEmpty();
        assertThat(watch.err()).isEqualTo("holdfast: Watching '%s' from now on; Ctrl-C ends it.\n".formatted(web));
        assertThat(refused(2, "services", "watch", "a b")).contains("NAME must be");
    }

    private CompletableFuture<Shell.Result> started(String... words) {
        return CompletableFuture.supplyAsync(
                () -> holdfast(words), work -> Thread.ofPlatform().daemon().start(work));
    }

    private static void setStatus(String service, String status) {
        given().contentType(ContentType.JSON)
                .body(Map.of("status", status))
                .put("/v1/services/" + service + "/status")
                .then()
                .statusCode(200);
    }

    private static String[] result(String service, String id, String epoch, String... more) {
        var words = List.of("services", "result", service, "--deployment-id", id, "--epoch", epoch);
        return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
    }

    private String registered() {
        var name = unique("service");
        good("services", "put", name, "--unobserved");
        return name;
    }

    private static String field(String name, String plain) {
        return plain.lines()
                .filter(line -> line.startsWith(name + "\t"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }
}
