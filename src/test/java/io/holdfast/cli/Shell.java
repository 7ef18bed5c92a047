package io.holdfast.cli;

import java.util.Map;

/** Where commands are typed: in this process, or as processes of their own. */
public interface Shell {
    /** @param input what is typed to the command */
    Result run(Map<String, String> environment, String input, String... words);

    record Result(int exit, String out, String err) {}
}
