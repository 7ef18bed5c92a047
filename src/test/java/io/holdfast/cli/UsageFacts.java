package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is called wrongly, and what only tells how to call it. */
interface UsageFacts extends CliCalls {
    @Test
    default void whatCannotBeMeantIsRefusedInOneSentence() {
        for (var words : List.of(
                "lokcs list",
                "locks status",
                "locks renew deploy",
                "locks hold deploy --for ever",
                "exec --lock deploy",
                "apps put billing --database",
                "apps stop",
                "databases decisions i-0abc --limit 0",
                "status",
                "table drop",
                "doctor nurse",
                "completion fish",
                "locks list --output xml")) {
            assertThat(refused(2, words.split(" "))).as(words).contains("Try 'holdfast");
        }
    }

    @Test
    default void helpAndVersionAndCompletionAreResults() {
        assertThat(good("exec", "--help"))
                .startsWith("Usage: holdfast exec --lock NAME [OPTIONS] -- COMMAND...\n")
                .contains("\nExample:\n");
        assertThat(good("help", "locks", "list")).startsWith("Usage: holdfast locks list ");
        assertThat(good("--version")).matches("holdfast [0-9]+\\.[0-9]+\\.[0-9]+\\S*\n");
        assertThat(good("completion", "bash")).contains("complete ");
        assertThat(good("completion", "zsh")).contains("compdef");
    }
}
