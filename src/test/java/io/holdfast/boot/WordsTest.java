package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void whatBelongsToAnotherCommandIsPutBack() {
        var words =
                Words.restored("holdfast\0exec\0--\0java\0-Xmx64m\0-Da=b\0x y\0\0", "exec", "--", "java", "x y", "");

        assertThat(words).containsExactly("exec", "--", "java", "-Xmx64m", "-Da=b", "x y", "");
    }

    @Test
    void whatStandsInFrontIsTheProgramsOwn() {
        assertThat(Words.restored("holdfast\0-Xmx64m\0-Da=b\0locks\0list\0", "locks", "list"))
                .containsExactly("locks", "list");
    }

    @Test
    void theProxyOfAnotherCommandIsNotOurs() {
        assertThat(Words.propertiesOfOthers(
                        "exec",
                        "--",
                        "java",
                        "-Dhttps.proxyHost=p",
                        "-Djavax.net.ssl.trustStore=t",
                        "-Da=b",
                        "-Dhttp.x"))
                .containsExactly("https.proxyHost", "javax.net.ssl.trustStore");
    }

    @Test
    void aCommandLineThatDoesNotFitIsNotBelieved() {
        assertThat(Words.restored("holdfast\0locks\0", "apps", "list")).containsExactly("apps", "list");
        assertThat(Words.restored("", "locks")).containsExactly("locks");
    }
}
