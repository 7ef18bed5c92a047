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

/** The results of a stop or start, one per database of the app. */
record PowerResults(JsonNode answer) {
    /**
     * With default settings the service takes at most 26 s to lock a database, 20 s to probe apps, 25 s to wait for the
     * actuator, and some time for calls.
     */
    private static final Duration LONGER = Duration.ofMinutes(2);

    private static final List<Column> COLUMNS = List.of(
            new Column("DATABASE", "database"),
            new Column("DECISION", "decision"),
            new Column("TOOK", "took_ms"),
            new Column("REASON", "reason"));

    private static final Set<String> RUNNING = Set.of("RUNNING", "STARTED");

    private static final Set<String> STOPPED = Set.of("STOPPED", "STOPPING", "ALREADY_STOPPED", "WOULD_STOP");

    /** @param why empty on success */
    record ExitReason(int exit, Optional<String> why) {
        private static final ExitReason SUCCESS = new ExitReason(Exit.DONE, Optional.empty());
    }

    static PowerResults of(ApiClient api, String path) {
        return new PowerResults(api.post(path, null, LONGER).orFail().body());
    }

    int show(Holdfast holdfast, Function<PowerResults, ExitReason> judge) {
        var output = holdfast.output();
        output.report(answer, results(), COLUMNS);
        if (results().isEmpty()) {
            output.message(
                    "'%s' uses no databases.".formatted(answer.path("app").asText()));
        }
        var exit = judge.apply(this);
        exit.why().ifPresent(holdfast::note);
        return exit.exit();
    }

    ExitReason afterStop() {
        return first(result -> !isSkipped(result) && !STOPPED.contains(decision(result)))
                .map(result -> reason(Exit.FAILED, result, "was not stopped"))
                .or(() -> first(PowerResults::isSkipped).map(result -> reason(Exit.REFUSED, result, "stays up")))
                .orElse(ExitReason.SUCCESS);
    }

    ExitReason afterStart() {
        if (answer.path("ready").asBoolean()) {
            return ExitReason.SUCCESS;
        }
        return first(PowerResults::isBroken)
                .map(result -> reason(Exit.FAILED, result, "was not started"))
                .or(() -> first(PowerResults::isSkipped).map(result -> reason(Exit.REFUSED, result, "was skipped")))
                .orElseGet(() -> new ExitReason(Exit.UNAVAILABLE, Optional.of(notReady())));
    }

    private String notReady() {
        var why = first(result -> !RUNNING.contains(decision(result)))
                .map(result -> ": database '%s' is %s, %s."
                        .formatted(
                                result.path("database").asText(),
                                decision(result),
                                result.path("reason").asText()))
                .orElse(".");
        return "'%s' is not ready yet%s Retry later."
                .formatted(answer.path("app").asText(), why);
    }

    private JsonNode results() {
        return answer.path("results");
    }

    private Optional<JsonNode> first(Predicate<JsonNode> which) {
        return StreamSupport.stream(results().spliterator(), false)
                .filter(which)
                .findFirst();
    }

    private static ExitReason reason(int exit, JsonNode result, String what) {
        var sentence = "Database '%s' %s: %s, %s."
                .formatted(
                        result.path("database").asText(),
                        what,
                        decision(result),
                        result.path("reason").asText());
        return new ExitReason(exit, Optional.of(sentence));
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
