package io.holdfast.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent to register something, and what is not sent at all. */
class RegistrationInputTest {
    private static final int BODY_MAX = 65_536;

    private final OddServer service = new OddServer().answering("/", "{}");

    @AfterEach
    void close() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
            apps put                                          | Missing required parameter
            apps put a                                         | with options or with --file
            apps put a --url http://a                         | --database
            apps put a --file - --url http://a                | leave the other options out
            apps put a --database d --confirmations two       | --confirmations
            apps put a --database d --kubernetes shop         | namespace/kind/name
            apps put a --database d --kubernetes a/b/c/d      | namespace/kind/name
            apps put .. --database d                          | NAME must be
            apps put a%b --database d                         | NAME must be
            apps show a?b                                     | NAME must be
            apps rm a?b                                       | NAME must be
            apps stop a?b                                     | NAME must be
            apps start a?b                                    | NAME must be
            status a?b                                        | APP must be
            databases show a?b                                | ID must be
            databases rm a?b                                  | ID must be
            databases decisions a?b                           | ID must be
            databases decisions d --limit 0                   | --limit
            databases decisions d --limit many                | --limit
            databases put d                                   | with options or with --file
            databases put d --port x                          | --port
            databases put d:x --type pg                       | host:port
            databases put d --file - --actuator kind=ec2      | leave the other options out
            databases put d --actuator ec2                    | --actuator
            databases put d --actuator knd=ec2                | no field 'knd'
            databases put d --actuator cluster=maybe          | true or false
            """)
    void whatCannotBeMeantIsNotSent(String typed, String words) {
        var result = run("{}", typed.split(" "));

        assertThat(CliCalls.refused(2, result)).contains(words);
        assertThat(service.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "[]", "null", "1", "\"a\"", "{", "{} {}", "{}x", "{\"a\":1,\"a\":2}", "\u00ff{}"})
    void aFileThatIsNotOneObjectIsNotSent(String text) {
        assertThat(CliCalls.refused(2, run(text, "apps", "put", "a", "--file", "-")))
                .isEqualTo("holdfast: The input on stdin is not one JSON object.\n");
        assertThat(service.asked()).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreNotSent(@TempDir Path folder) throws IOException {
        var file = Files.write(folder.resolve("a.json"), new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});

        assertThat(CliCalls.refused(2, run("", "apps", "put", "a", "--file", file.toString())))
                .contains("is not one JSON object");
    }

    @Test
    void aFileMayBeAsLongAsABodyAndNoLonger() {
        var longest = "{\"url\":\"" + "x".repeat(BODY_MAX - 10) + "\"}";
        assertThat(longest).hasSize(BODY_MAX);

        assertThat(run(longest, "apps", "put", "a", "--file", "-").exit()).isZero();
        assertThat(CliCalls.refused(2, run(longest + " ", "apps", "put", "a", "--file", "-")))
                .contains("over 65536 bytes");
    }

    @Test
    void aFileThatIsNotThereIsOurOwnFailure(@TempDir Path folder) {
        for (var file : Arrays.asList(folder.resolve("none"), folder)) {
            assertThat(CliCalls.refused(1, run("", "databases", "put", "d", "--file", file.toString())))
                    .isEqualTo("holdfast: '" + file + "' cannot be read.\n");
        }
    }

    @Test
    void aFileIsSentToTheLastByte() {
        var text = "{ \"a\" : null,\n\t\"b\": 1.50e400, \"ü\": \"\\u00fc\" }\n";

        run(text, "databases", "put", "db:5432", "--file", "-");

        assertThat(service.asked()).containsExactly(new OddServer.Asked("PUT", "/v1/databases/db%3A5432", text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
            apps put a --database d --database e      | {"databases":["d","e"]}
            apps put a --database d --url u --probe p --confirmations 3 --kubernetes n/k/m | {"url":"u","probe":"p","confirmations":3,"kubernetes":{"namespace":"n","kind":"k","name":"m"},"databases":["d"]}
            databases put h:1 --type pg               | {"type":"pg","host":"h","port":1}
            databases put i-0 --host h                | {"host":"h","ec2_instance_id":"i-0"}
            databases put i-0 --host h --port 2       | {"host":"h","port":2,"ec2_instance_id":"i-0"}
            databases put h:1 --host g --port 2       | {"host":"g","port":2}
            databases put d:1 --ec2-instance-id i-0   | {"host":"d","ec2_instance_id":"i-0"}
            databases put h:1 --actuator kind=rds --actuator identifier=o --actuator cluster=true --actuator region=r | {"host":"h","port":1,"actuator":{"kind":"rds","region":"r","identifier":"o","cluster":true}}
            databases put h:1 --actuator url=u=v --actuator status_url=s --actuator secret=x | {"host":"h","port":1,"actuator":{"url":"u=v","status_url":"s","secret":"x"}}
            """)
    void whatTheOptionsSayIsSentAndNoMore(String typed, String body) {
        assertThat(run("", typed.split(" ")).exit()).isZero();

        assertThat(service.asked()).extracting(OddServer.Asked::body).containsExactly(body);
    }

    private Shell.Result run(String input, String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE)
                .run(Map.of("HOLDFAST_URL", service.url()), input, words);
    }
}
