package io.holdfast.cli.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** What became of each database of an app that was stopped or started. */
record PowerResults(JsonNode answer) {
    /**
     * With its defaults the service takes at most 26 s to get at a database, 20 s to look at apps, 25 s to watch an
     * order, and some calls.
     */
    private static final Duration LONGER = Duration.ofMinutes(2);

    private static final List<Column> COLUMNS = List.of(
            new Column("DATABASE", "database"),
            new Column("DECISION", "decision"),
            new Column("TOOK", "took_ms"),
            new Column("REASON", "reason"));

    private static final Set<String> RUNS = Set.of("RUNNING", "STARTED");

    private static final Set<String> STOPPED = Set.of("STOPPED", "STOPPING", "ALREADY_STOPPED", "WOULD_STOP");

    /** How the command ends, and why so if not well. */
    record Ending(int exit, Optional<String> why) {
        private static final Ending GOOD = new Ending(Exit.DONE, Optional.empty());
    }

    static PowerResults of(ApiClient api, String path) {
        return new PowerResults(api.post(path, null, LONGER).orFail().body());
    }

    int shown(Holdfast holdfast, Function<PowerResults, Ending> judge) {
        var output = holdfast.output();
        output.report(answer, results(), COLUMNS);
        if (results().isEmpty()) {
            output.message("'%s' uses no databases.".formatted(answer.path("app").asText()));
        }
        var ending = judge.apply(this);
        ending.why().ifPresent(holdfast::note);
        return ending.exit();
    }

    Ending afterStop() {
        return first(result -> !isSkipped(result) && !STOPPED.contains(decision(result)))
                .map(result -> ending(Exit.FAILED, result, "was not stopped"))
                .or(() -> first(PowerResults::isSkipped).map(result -> ending(Exit.REFUSED, result, "stays up")))
                .orElse(Ending.GOOD);
    }

    Ending afterStart() {
        if (answer.path("ready").asBoolean()) {
            return Ending.GOOD;
        }
        return first(PowerResults::isBroken)
                .map(result -> ending(Exit.FAILED, result, "was not started"))
                .or(() -> first(PowerResults::isSkipped).map(result -> ending(Exit.REFUSED, result, "was left alone")))
                .orElseGet(() -> new Ending(Exit.UNAVAILABLE, Optional.of(notReady())));
    }

    private String notReady() {
        var why = first(result -> !RUNS.contains(decision(result)))
                .map(result -> ": database '%s' is %s, %s."
                        .formatted(
                                result.path("database").asText(),
                                decision(result),
                                result.path("reason").asText()))
                .orElse(".");
        return "'%s' is not ready yet%s Ask again.".formatted(answer.path("app").asText(), why);
    }

    private JsonNode results() {
        return answer.path("results");
    }

    private Optional<JsonNode> first(Predicate<JsonNode> which) {
        return StreamSupport.stream(results().spliterator(), false)
                .filter(which)
                .findFirst();
    }

    private static Ending ending(int exit, JsonNode result, String what) {
        var sentence = "Database '%s' %s: %s, %s."
                .formatted(
                        result.path("database").asText(),
                        what,
                        decision(result),
                        result.path("reason").asText());
        return new Ending(exit, Optional.of(sentence));
    }

    private static boolean isSkipped(JsonNode result) {
        return decision(result).startsWith("SKIPPED_");
    }

    private static boolean isBroken(JsonNode result) {
        return decision(result).endsWith("_FAILED") || decision(result).endsWith("_STUCK");
    }

    private static String decision(JsonNode result) {
        return result.path("decision").asText();
    }
}
