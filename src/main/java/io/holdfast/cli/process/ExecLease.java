package io.holdfast.cli.process;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lease that {@code exec} holds for the command in which this runs, as its environment names it. With several locks the
 * variables are lists in the same order, so each token is that of one lock and of no other.
 */
public record ExecLease(String lockId, long fencingToken) {
    static final String LOCK = "HOLDFAST_LOCK";
    public static final String LOCK_ID = "HOLDFAST_LOCK_ID";
    static final String FENCING_TOKEN = "HOLDFAST_FENCING_TOKEN";

    private static final String COMMA = ",";

    /** Empty if no {@code exec} around this holds the lock. */
    public static Optional<ExecLease> of(String name, CliEnvironment environment) {
        var names = list(environment.setting(LOCK, ""));
        var place = names.indexOf(name);
        var lockId = environment.setting(LOCK_ID, "");
        if (place < 0 || lockId.isEmpty()) {
            return Optional.empty();
        }
        var tokens = list(environment.setting(FENCING_TOKEN, ""));
        if (tokens.size() != names.size() || !tokens.get(place).matches("[0-9]{1,18}")) {
            throw new CliException(
                    Exit.USAGE,
                    "%s must be one whole number for each lock in %s, as exec sets it.".formatted(FENCING_TOKEN, LOCK));
        }
        return Optional.of(new ExecLease(lockId, Long.parseLong(tokens.get(place))));
    }

    /** @param tokens by name, in the order of the names */
    public static Map<String, String> environment(String lockId, List<String> names, List<Long> tokens) {
        return Map.of(
                LOCK,
                String.join(COMMA, names),
                LOCK_ID,
                lockId,
                FENCING_TOKEN,
                String.join(COMMA, tokens.stream().map(String::valueOf).toList()));
    }

    private static List<String> list(String text) {
        return List.of(text.split(COMMA));
    }
}
