package io.holdfast.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NativeArgumentsTest {
    @Test
    void whatBelongsToAnotherCommandIsPutBack() {
        var words = NativeArguments.restored(
                "holdfast\0exec\0--\0java\0-Xmx64m\0-Da=b\0x y\0\0", "exec", "--", "java", "x y", "");

        assertThat(words).containsExactly("exec", "--", "java", "-Xmx64m", "-Da=b", "x y", "");
    }

    @Test
    void whatStandsInFrontIsTheProgramsOwn() {
        assertThat(NativeArguments.restored("holdfast\0-Xmx64m\0-Da=b\0locks\0list\0", "locks", "list"))
                .containsExactly("locks", "list");
    }

    @Test
    void theProxyOfAnotherCommandIsNotOurs() {
        assertThat(NativeArguments.propertiesOfOthers(
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
        assertThat(NativeArguments.restored("holdfast\0locks\0", "apps", "list"))
                .containsExactly("apps", "list");
        assertThat(NativeArguments.restored("", "locks")).containsExactly("locks");
    }
}
