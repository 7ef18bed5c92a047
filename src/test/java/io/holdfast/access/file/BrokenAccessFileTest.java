package io.holdfast.access.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.file.AccessFileReader.Result;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake in an access file is an error with its line, its path and what is allowed. */
class BrokenAccessFileTest {
    private static final String HASH = "a".repeat(64);
    private static final String ISSUER =
            "{name: ci, issuer: \"https://ci.example\", jwks: \"https://ci.example/keys\", audience: holdfast%s}";
    private static final String GRANTS = "grants:\n- {subjects: [\"*\"], allow: [{locks: \"\", actions: [read]}]}\n";

    static Stream<Arguments> broken() {
        return Stream.of(
                row("", 1, "the file is empty"),
                row("# nothing\n", 1, "the file is empty"),
                row("just words", 1, "must be a mapping with issuers, tokens, grants, not one value"),
                row("- grants", 1, "must be a mapping"),
                row("grants: [", 1, "not YAML"),
                row("grants:\n\t- x", 2, "not YAML"),
                row("grants: \u0000", 1, "not YAML"),
                row(GRANTS + "---\n" + GRANTS, 3, "a second YAML document is not allowed"),
                row("grants: &a [1]\n", 1, "anchors and aliases"),
                row("grants:\n- *a\n", 2, "anchors and aliases"),
                row("grants: !!java.net.URL [x]\n", 1, "tags are not allowed"),
                row("grants: !custom x\n", 1, "tags are not allowed"),
                row("%TAG ! tag:x,2000:\n---\n" + GRANTS, 1, "tags are not allowed"),
                row("grants: " + "[".repeat(100_000), 1, "nested deeper"),
                row("? [a]\n: b\n", 1, "a key must be a word"),
                row("grant: []\n", 1, "grant: 'grant' is not a key here; did you mean grants?"),
                row("other: 1\n" + GRANTS, 1, "allowed: issuers, tokens, grants"),
                row(GRANTS + GRANTS, 3, "grants: is there twice"),
                row("tokens:\n- {name: a, sha256: " + HASH + "}\n", 1, "grants is missing"),
                row("grants: []\n", 1, "grants: is an empty list"),
                row("grants:\n", 1, "grants: must be a list, not nothing"),
                row("grants: x\n", 1, "grants: must be a list, not one value"),
                row("tokens: []\n" + GRANTS, 1, "tokens: is an empty list"),
                token("{name: a}", "tokens[0]: sha256 is missing"),
                token("{sha256: " + HASH + "}", "tokens[0]: name is missing"),
                token("{name: a, sha256: abc}", "tokens[0].sha256: must be the SHA-256"),
                token("{name: a, sha256: " + "g".repeat(64) + "}", "64 hexadecimal digits"),
                token("{name: a, sha256: " + "1".repeat(64) + "}", "in quotes"),
                token("{name: a, sha256: [x]}", "tokens[0].sha256: must be the SHA-256"),
                token(
                        "{name: a, sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855}",
                        "of an empty token"),
                token("{name: 5, sha256: " + HASH + "}", "put '5' in quotes"),
                token("{name: yes, sha256: " + HASH + "}", "put 'yes' in quotes"),
                token("{name: \"a b\", sha256: " + HASH + "}", "tokens[0].name: must be 1 to 64 characters"),
                token("{name: a, sha256: " + HASH + ", token: x}", "tokens[0].token: 'token' is not a key here"),
                token("{name: a, sha265: " + HASH + "}", "did you mean sha256?"),
                row(
                        "tokens:\n- {name: a, sha256: %s}\n- {name: a, sha256: %s}\n".formatted(HASH, "b".repeat(64))
                                + GRANTS,
                        3,
                        "tokens[1].name: 'a' is already in line 2"),
                row(
                        "tokens:\n- {name: a, sha256: %s}\n- {name: b, sha256: %s}\n"
                                        .formatted(HASH, HASH.toUpperCase(java.util.Locale.ROOT))
                                + GRANTS,
                        3,
                        "tokens[1].sha256: '" + HASH),
                issuer("{name: ci}", "issuers[0]: issuer is missing"),
                issuer(ISSUER.formatted("").replace("name: ci", "name: token"), "must not be token or cert"),
                issuer(ISSUER.formatted("").replace("name: ci", "name: \"a:b\""), "issuers[0].name"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "http://ci.example/keys"), "https URL"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "ftp://ci.example/keys"), "https URL"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "https://u:p@ci.example/"), "https URL"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "https://ci.example/#x"), "https URL"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "http://localhost.evil/"), "https URL"),
                issuer(ISSUER.formatted("").replace("https://ci.example/keys", "not a url"), "https URL"),
                issuer(
                        ISSUER.formatted("").replace("audience: holdfast", "audience: []"),
                        "audience: is an empty list"),
                issuer(ISSUER.formatted("").replace(", audience: holdfast", ""), "audience is missing"),
                issuer(ISSUER.formatted(", algorithms: [HS256]"), "algorithms[0]: 'HS256' is not an algorithm"),
                issuer(ISSUER.formatted(", algorithms: [none]"), "allowed: RS256"),
                issuer(ISSUER.formatted(", algorithms: [RS265]"), "did you mean RS256?"),
                issuer(ISSUER.formatted(", algorithms: []"), "algorithms: is an empty list"),
                issuer(ISSUER.formatted(", algorithms: RS256"), "algorithms: must be a list"),
                issuer(ISSUER.formatted(", leeway: 30"), "leeway: must be a duration from 0s to 5m"),
                issuer(ISSUER.formatted(", leeway: 6m"), "leeway: must be a duration from 0s to 5m"),
                issuer(ISSUER.formatted(", leeway: -1s"), "leeway: must be a duration from 0s to 5m"),
                issuer(ISSUER.formatted(", ca-file: relative/ca.crt"), "ca-file: must be an absolute path"),
                issuer(ISSUER.formatted(", ca_file: /ca.crt"), "did you mean ca-file?"),
                issuer(
                        ISSUER.formatted(", ca-file: /ca.crt").replace("https://ci.example/keys", "http://localhost/"),
                        "has no use with http"),
                row(
                        "issuers:\n- %s\n- %s\n"
                                        .formatted(
                                                ISSUER.formatted(""),
                                                ISSUER.formatted("").replace("name: ci", "name: other"))
                                + GRANTS,
                        3,
                        "issuers[1].issuer: 'https://ci.example' is already in line 2"),
                grant("{subjects: [\"*\"]}", "grants[0]: allow is missing"),
                grant("{allow: [{admin: true}]}", "grants[0]: subjects is missing"),
                grant("{subjects: [], allow: [{admin: true}]}", "subjects: is an empty list"),
                grant("{subjects: [\"*\"], allow: []}", "allow: is an empty list"),
                grant("{subjects: \"*\", allow: [{admin: true}]}", "subjects: must be a list"),
                grant("{subjects: [5], allow: [{admin: true}]}", "put '5' in quotes"),
                grant("{subjects: [\"x:a\"], allow: [{admin: true}]}", "'x' is not the name of an issuer"),
                grant("{subjects: [\"tokens:a\"], allow: [{admin: true}]}", "did you mean token?"),
                grant("{subjects: [\"cer*\"], allow: [{admin: true}]}", "must be ISSUER:sub"),
                grant("{subjects: [\"cert:\"], allow: [{admin: true}]}", "must be ISSUER:sub"),
                grant("{subjects: [\"cert:a*b\"], allow: [{admin: true}]}", "a '*' at its end only"),
                grant("{subjects: [\"cert:\\x07\"], allow: [{admin: true}]}", "printable ASCII"),
                grant("{subjects: [\"token:x\"], allow: [{admin: true}]}", "there is no token 'x'"),
                grant("{subjects: [\"cert:a\", \"cert:a\"], allow: [{admin: true}]}", "is already in line 2"),
                grant("{subjects: [\"*\"], allow: [{admin: false}]}", "admin: must be true"),
                grant("{subjects: [\"*\"], allow: [{admin: \"true\"}]}", "admin: must be true"),
                grant("{subjects: [\"*\"], allow: [{admin: true, locks: \"\"}]}", "no other key"),
                grant("{subjects: [\"*\"], allow: [{deny: true}]}", "grants[0].allow[0].deny: 'deny' is not a key"),
                grant("{subjects: [\"*\"], allow: [{locks: \"\"}]}", "actions is missing"),
                grant("{subjects: [\"*\"], allow: [{actions: [read]}]}", "must have exactly one of locks"),
                grant("{subjects: [\"*\"], allow: [{locks: \"\", apps: \"\", actions: [read]}]}", "exactly one of"),
                grant(
                        "{subjects: [\"*\"], allow: [{locks: , actions: [read]}]}",
                        "put \"\" for all names, not nothing"),
                grant("{subjects: [\"*\"], allow: [{locks: \"a*\", actions: [read]}]}", "leave the '*' out"),
                grant("{subjects: [\"*\"], allow: [{locks: \"a b\", actions: [read]}]}", "at most 255 characters"),
                grant("{subjects: [\"*\"], allow: [{locks: \"\", actions: []}]}", "actions: is an empty list"),
                grant("{subjects: [\"*\"], allow: [{locks: \"\", actions: read}]}", "actions: must be a list"),
                grant(
                        "{subjects: [\"*\"], allow: [{locks: \"\", actions: [read, aquire]}]}",
                        "grants[0].allow[0].actions[1]: 'aquire' is not an action on locks; did you mean acquire?"
                                + " allowed: read, acquire, force"),
                grant("{subjects: [\"*\"], allow: [{apps: \"\", actions: [force]}]}", "not an action on apps"),
                grant("{subjects: [\"*\"], allow: [{clusters: \"\", actions: [Read]}]}", "did you mean read?"),
                grant("{subjects: [\"*\"], allow: [{locks: \"\", actions: [read, read]}]}", "is already in line 2"),
                grant("{subjects: [\"*\"], allow: [{locks: \"DB#x\", actions: [acquire]}]}", "only read and admin"),
                grant("{subjects: [\"*\"], allow: [{locks: \"system/\", actions: [force]}]}", "only read and admin"));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("broken")
    void theErrorNamesLineAndCause(String text, int line, String part) {
        var result = AccessFileReader.read(text);

        assertThat(result).isInstanceOf(Result.Broken.class);
        assertThat(((Result.Broken) result).errors())
                .anySatisfy(error -> assertThat(error.sentence())
                        .startsWith("line " + line + ": ")
                        .contains(part))
                .allSatisfy(error ->
                        assertThat(error.sentence()).hasSizeLessThan(600).doesNotContain("\n", "\t"));
    }

    @Test
    void allErrorsAreShownInTheOrderOfTheirLines() {
        var result = AccessFileReader.read("grants:\n- {subjects: [x]}\n- {allow: [{locks: \"\", actions: [fly]}]}\n");

        assertThat(((Result.Broken) result).errors().stream().map(FileError::line))
                .containsExactly(2, 2, 3, 3);
        assertThat(((Result.Broken) result).summary()).startsWith("line 2: ").endsWith("(and 3 more errors)");
    }

    @Test
    void oneWrongKeyIsOneError() {
        var result = AccessFileReader.read(
                "tokens:\n- {name: a, sha256: x}\ngrants:\n- {subjects: [\"token:a\"], allow: [{admin: true}]}\n");

        assertThat(((Result.Broken) result).errors()).hasSize(1);
    }

    private static Arguments row(String text, int line, String part) {
        return Arguments.of(text, line, part);
    }

    private static Arguments token(String entry, String part) {
        return row("tokens:\n- " + entry + "\n" + GRANTS, 2, part);
    }

    private static Arguments issuer(String entry, String part) {
        return row("issuers:\n- " + entry + "\n" + GRANTS, 2, part);
    }

    private static Arguments grant(String entry, String part) {
        return row("grants:\n- " + entry + "\n", 2, part);
    }
}
