package io.holdfast.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessCommandTest {
    private static final String SHA256_OF_A_TOKEN = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    @TempDir
    private Path folder;

    private String file(String content) throws IOException {
        var file = folder.resolve("access.yaml");
        Files.writeString(file, content);
        return file.toString();
    }

    private String goodFile() throws IOException {
        return file("grants:\n- {subjects: [\"cert:a\"], allow: [{locks: \"billing/\", actions: [acquire]}]}\n");
    }

    private static Shell.Result run(String input, String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of(), input, words);
    }

    @Test
    void aFileThatIsFineIsSaidToBe() throws IOException {
        assertThat(run("", "access", "check", goodFile()))
                .isEqualTo(new Shell.Result(0, "The access file is fine. Issuers: 0, tokens: 0, grants: 1.\n", ""));
    }

    @Test
    void everyErrorOfABrokenFileIsALine() throws IOException {
        var result = run("", "access", "check", file("grants:\n- {subjects: [x]}\n"));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err().lines()).hasSize(2).allMatch(line -> line.startsWith("holdfast: line 2: grants[0]"));
    }

    @Test
    void canAnswersByTheFile() throws IOException {
        var file = goodFile();

        assertThat(run("", "access", "check", file, "can", "cert:a", "acquire", "locks:billing/db"))
                .isEqualTo(new Shell.Result(0, "Yes, by grants[0].allow[0].\n", ""));
        assertThat(run("", "access", "check", file, "can", "cert:a", "acquire", "locks:other"))
                .isEqualTo(new Shell.Result(
                        7,
                        "No. Subject 'cert:a' may not acquire locks:other:"
                                + " it needs a grant of acquire on locks with a prefix of this name.\n",
                        ""));
        assertThat(run("", "access", "check", file, "can", "cert:a", "admin").exit())
                .isEqualTo(7);
        assertThat(run("", "access", "check", file, "can", "cert:a", "fly", "locks:a")
                        .exit())
                .isEqualTo(2);
        assertThat(run("", "access", "check", file, "may", "x").exit()).isEqualTo(2);
        assertThat(run("", "access", "check", folder + "/none").exit()).isEqualTo(1);
    }

    @Test
    void aTokenIsHashedFromStdinWithoutItsLineEnd() {
        var result = run("test\n", "auth", "hash", "--name", "ops", "--output", "json");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains(SHA256_OF_A_TOKEN, "{name: \\\"ops\\\", sha256: \\\"" + SHA256_OF_A_TOKEN);
        assertThat(result.out() + result.err()).doesNotContain("\"test\"");
        assertThat(result.err()).contains("can be guessed");
        assertThat(run("", "auth", "hash").exit()).isEqualTo(2);
        assertThat(run("a b\n", "auth", "hash").exit()).isEqualTo(2);
        assertThat(run("", "auth", "hash", "a-token-as-argument").exit()).isEqualTo(2);
    }

    @Test
    void aGeneratedTokenHas256BitsAndItsLineIsValid() throws IOException {
        var result = run("", "auth", "hash", "--generate", "--name", "ops", "--output", "plain");
        var token = result.out()
                .lines()
                .filter(line -> line.startsWith("token\t"))
                .findFirst()
                .orElseThrow();
        var line = result.out()
                .lines()
                .filter(one -> one.startsWith("yaml\t"))
                .findFirst()
                .orElseThrow();

        assertThat(token.substring("token\t".length())).hasSize(43);
        var file = file("tokens:\n" + line.substring("yaml\t".length())
                + "\ngrants:\n- {subjects: [\"token:ops\"], allow: [{admin: true}]}\n");
        assertThat(run("", "access", "check", file, "can", "token:ops", "admin").exit())
                .isZero();
    }
}
