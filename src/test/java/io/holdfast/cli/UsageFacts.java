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
    default void aNumberThatIsNoneIsToldInPlainWords() {
        assertThat(refused(2, "locks", "list", "--limit", "few")).contains("'few' is not a whole number.");
        assertThat(refused(2, "locks", "list", "--limit", "99999999999")).contains("'99999999999' is too large.");
        assertThat(refused(2, "locks", "renew", "deploy", "--owner", "ada", "--fencing-token", "1e3"))
                .contains("'1e3' is not a whole number.");
        assertThat(refused(2, "exec", "--conflict-exit", "seven", "--lock", "deploy", "--", "true"))
                .contains("'seven' is not a whole number.");
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
