package io.holdfast.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.work.HandlerOutput.HandlerError;
import io.holdfast.http.wire.job.ProgressBody;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerOutputTest {
    private final ByteArrayOutputStream copied = new ByteArrayOutputStream();
    private final List<Object> heard = new ArrayList<>();

    @Test
    void linesForHoldfastAreNotCopied() {
        copy(
                "",
                "one\nholdfast: progress 40 copying images\nholdfast: result {\"n\": 3}\ntwo\n"
                        + "holdfast: error QUOTA_EXCEEDED 64 are not enough\n");

        assertThat(copied()).isEqualTo("one\ntwo\n");
        assertThat(heard)
                .extracting(Object::toString)
                .containsExactly(
                        new ProgressBody(40, "copying images").toString(),
                        "{\"n\":3}",
                        new HandlerError("QUOTA_EXCEEDED", "64 are not enough").toString());
    }

    @Test
    void aMessageMayBeMissing() {
        copy("", "holdfast: progress 0\nholdfast: progress 100%\r\nholdfast: error E1\n");

        assertThat(heard)
                .containsExactly(new ProgressBody(0, null), new ProgressBody(100, null), new HandlerError("E1", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "holdfast: progress",
                "holdfast: progress 101",
                "holdfast: progress -1",
                "holdfast: progress fast",
                "holdfast: error bad=code x",
                "holdfast: reslut {}",
                "holdfast:progress 1",
                " holdfast: progress 1",
                "x holdfast: progress 1",
                "hold",
                ""
            })
    void anyOtherLineIsCopied(String line) {
        copy("", line + "\n");

        assertThat(copied()).isEqualTo(line + "\n");
        assertThat(heard).isEmpty();
    }

    @Test
    void aResultThatIsNoObjectIsIgnoredWithASentence() {
        copy("", "holdfast: result [1]\nholdfast: result {\"a\": \"%s\"}\n".formatted("x".repeat(16 << 10)));

        assertThat(heard).hasSize(2).allSatisfy(sentence -> assertThat(sentence)
                .isEqualTo("The result is ignored: it is not one JSON object of at most 16384 bytes."));
        assertThat(copied()).isEmpty();
    }

    @Test
    void aMessageIsCutAndCleaned() {
        copy("", "holdfast: progress 1 a\tb%s\n".formatted("x".repeat(300)));

        assertThat(heard).singleElement().isInstanceOfSatisfying(ProgressBody.class, progress -> assertThat(
                        progress.message())
                .startsWith("a bx")
                .hasSize(256));
    }

    @Test
    void chunksMayEndAnywhere() {
        var text = "one\nholdfast: progress 7 a\ntwo";

        output("").copy(new InputStream() {
            private int next;

            @Override
            public int read() {
                return next == text.length() ? -1 : text.charAt(next++);
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                var one = read();
                bytes[from] = (byte) one;
                return one < 0 ? -1 : 1;
            }
        });

        assertThat(copied()).isEqualTo("one\ntwo");
        assertThat(heard).containsExactly(new ProgressBody(7, "a"));
    }

    @Test
    void aLastLineWithoutAnEndCounts() {
        copy("", "holdfast: progress 9");

        assertThat(heard).containsExactly(new ProgressBody(9, null));
    }

    /** Such as the dots of a program that shows that it works. */
    @Test
    void anUnfinishedLineIsCopiedAtOnceIfItIsNotForHoldfast() throws IOException {
        var handler = new PipedOutputStream();
        var in = new PipedInputStream(handler);
        var copying = Thread.ofVirtual().start(() -> output("").copy(in));

        handler.write("...".getBytes(StandardCharsets.UTF_8));
        handler.flush();

        Awaitility.await().until(() -> copied().equals("..."));
        handler.write(" holdfast: progress 1\n".getBytes(StandardCharsets.UTF_8));
        handler.close();
        Awaitility.await().until(() -> !copying.isAlive());
        assertThat(copied()).isEqualTo("... holdfast: progress 1\n");
        assertThat(heard).isEmpty();
    }

    @Test
    void aPrefixStandsBeforeEachLine() {
        copy("[2] ", "one\nholdfast: progress 3\n\ntwo");

        assertThat(copied()).isEqualTo("[2] one\n[2] \n[2] two\n");
        assertThat(heard).hasSize(1);
    }

    @Test
    void aLineThatIsTooLongIsCopiedInPieces() {
        var piece = "x".repeat(HandlerOutput.LINE_BYTES_MAX);

        copy("[1] ", piece + "holdfast: progress 3\n");

        assertThat(copied()).isEqualTo("[1] " + piece + "\n[1] holdfast: progress 3\n");
        assertThat(heard).isEmpty();
    }

    @Test
    void bytesThatAreNotTextAreCopiedUnchanged() {
        var bytes = new byte[] {(byte) 0xff, 0, (byte) 0xc3, '\n', (byte) 0x80};

        output("").copy(new ByteArrayInputStream(bytes));

        assertThat(copied.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void withoutAListenerEverythingIsCopied() {
        new HandlerOutput(stream(), "", Optional.empty()).copy(in("holdfast: progress 3\n"));

        assertThat(copied()).isEqualTo("holdfast: progress 3\n");
    }

    private void copy(String prefix, String text) {
        output(prefix).copy(in(text));
    }

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private HandlerOutput output(String prefix) {
        return new HandlerOutput(stream(), prefix, Optional.of(new HandlerOutput.Listener() {
            @Override
            public void progress(ProgressBody progress) {
                heard.add(progress);
            }

            @Override
            public void result(JsonNode result) {
                heard.add(result);
            }

            @Override
            public void error(HandlerError error) {
                heard.add(error);
            }

            @Override
            public void ignored(String sentence) {
                heard.add(sentence);
            }
        }));
    }

    private PrintStream stream() {
        return new PrintStream(copied, true, StandardCharsets.UTF_8);
    }

    private String copied() {
        return copied.toString(StandardCharsets.UTF_8);
    }
}
