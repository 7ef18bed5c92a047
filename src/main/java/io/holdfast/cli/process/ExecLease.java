package io.holdfast.cli.process;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lease that an enclosing {@code exec} holds, from the environment variables that it sets for its command. With several
 * locks, names and tokens are lists in the same order.
 */
public record ExecLease(String lockId, long fencingToken) {
    static final String LOCK = "HOLDFAST_LOCK";
    public static final String LOCK_ID = "HOLDFAST_LOCK_ID";
    static final String FENCING_TOKEN = "HOLDFAST_FENCING_TOKEN";

    private static final String COMMA = ",";

    /** Empty if there is no enclosing {@code exec} that holds the lock. */
    public static Optional<ExecLease> of(String name, CliEnvironment environment) {
        var names = list(environment.setting(LOCK, ""));
        var index = names.indexOf(name);
        var lockId = environment.setting(LOCK_ID, "");
        if (index < 0 || lockId.isEmpty()) {
            return Optional.empty();
        }
        var tokens = list(environment.setting(FENCING_TOKEN, ""));
        if (tokens.size() != names.size() || !tokens.get(index).matches("[0-9]{1,18}")) {
            throw new CliException(
                    Exit.USAGE,
                    "%s must be one whole number for each lock in %s, as exec sets it.".formatted(FENCING_TOKEN, LOCK));
        }
        return Optional.of(new ExecLease(lockId, Long.parseLong(tokens.get(index))));
    }

    /** @param tokens in the order of the names */
    public static Map<String, String> variables(String lockId, List<String> names, List<Long> tokens) {
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
