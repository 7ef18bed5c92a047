package io.holdfast.cli.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    @TempDir
    Path folder;

    private Path file;
    private TokenFile source;

    @BeforeEach
    void name() {
        file = folder.resolve("token");
        source = new TokenFile(file);
    }

    @Test
    void theFileIsReadForEveryRequest() throws IOException {
        write("first\n");
        assertThat(header()).isEqualTo("Bearer first");

        write(" second ");
        assertThat(header()).isEqualTo("Bearer second");
    }

    /** As Kubernetes replaces a projected token: by a symbolic link to another folder. */
    @Test
    void aReplacedLinkIsFollowed() throws IOException {
        var one = Files.createDirectory(folder.resolve("one"));
        var two = Files.createDirectory(folder.resolve("two"));
        Files.writeString(one.resolve("token"), "first");
        Files.writeString(two.resolve("token"), "second");
        var data = Files.createSymbolicLink(folder.resolve("data"), one);
        source = new TokenFile(data.resolve("token"));
        assertThat(header()).isEqualTo("Bearer first");

        Files.delete(data);
        Files.createSymbolicLink(data, two);

        assertThat(header()).isEqualTo("Bearer second");
    }

    @Test
    void aTokenHasAtMostEightKibibytes() throws IOException {
        write("a".repeat(8192));
        assertThat(header()).hasSize("Bearer ".length() + 8192);

        write("a".repeat(8193));
        assertUnusable(new TokenFile(file), " must contain one token of at most 8192 visible ASCII characters,");
    }

    @Test
    void aFileOfNoUseIsOneSentenceThatNamesIt() throws IOException {
        assertUnusable(source, "HOLDFAST_TOKEN_FILE (" + file + ") does not exist.");
        assertUnusable(new TokenFile(folder), " cannot be read.");
        write(" \n");
        assertUnusable(source, "HOLDFAST_TOKEN_FILE (" + file + ") is empty.");
        write("two words");
        assertUnusable(source, " must contain one token ");
        write("two\nlines");
        assertUnusable(source, " must contain one token ");
        Files.write(file, "d\u00e9j\u00e0".getBytes(StandardCharsets.UTF_8));
        assertUnusable(source, " must contain one token ");
    }

    /** A program that does not replace the file but writes it: for a moment it is empty. */
    @Test
    void aFileThatIsBeingWrittenLeavesTheLastTokenInUse() throws IOException {
        write("first");
        assertThat(header()).isEqualTo("Bearer first");

        write("");
        assertThat(header()).isEqualTo("Bearer first");
        assertThat(source.renewed(token("first")))
                .isEqualTo(new TokenSource.Renewal.Failed("HOLDFAST_TOKEN_FILE (" + file + ") is empty."));

        write("second");
        assertThat(header()).isEqualTo("Bearer second");
    }

    @Test
    void aRefusedTokenIsReplacedOnlyByAnotherOne() throws IOException {
        write("first");
        assertThat(source.renewed(token("first"))).isEqualTo(new TokenSource.Renewal.Unchanged());

        write("second");
        assertThat(source.renewed(token("first"))).isEqualTo(new TokenSource.Renewal.Replaced(token("second")));
    }

    @Test
    void aTokenHidesItsText() {
        assertThat(token("s3cr3t-t0k3n")).hasToString("[token]");
        assertThat(token("s3cr3t-t0k3n").hiddenIn("It was s3cr3t-t0k3n.")).isEqualTo("It was [token].");
        assertThat(token("lock").hiddenIn("A lock is held.")).isEqualTo("A lock is held.");
    }

    private static void assertUnusable(TokenFile unusable, String words) {
        assertThatThrownBy(unusable::current)
                .isInstanceOfSatisfying(CliException.class, failure -> assertThat(failure.exit())
                        .isEqualTo(Exit.UNAUTHENTICATED))
                .hasMessageContaining(words);
    }

    private static Token token(String text) {
        return Token.parse(text).orElseThrow();
    }

    private String header() {
        return source.current().orElseThrow().header();
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }
}
