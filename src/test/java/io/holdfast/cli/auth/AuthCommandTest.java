package io.holdfast.cli.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthCommandTest {
    private static final String ME =
            """
            {"subject":"cluster:system:serviceaccount:billing:app","issuer":"cluster","grants":[\
            {"kind":"locks","prefix":"billing/","actions":["read","acquire"]},\
            {"kind":"apps","prefix":"","actions":["read"]}],"admin":false,\
            "expires_at":"2026-11-18T09:00:00.000Z"}""";

    private final OddServer service = new OddServer();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void whoamiShowsSubjectAndGrants() {
        service.answering("/v1/access/me", ME);

        assertThat(run("auth", "whoami"))
                .isEqualTo(new Shell.Result(
                        0,
                        """
                        subject     cluster:system:serviceaccount:billing:app
                        issuer      cluster
                        expires_at  2026-11-18T09:00:00.000Z
                        admin       false
                        grants      kind=locks prefix=billing/ actions=read, acquire
                                    kind=apps prefix= actions=read
                        """,
                        ""));
        assertThat(run("auth", "whoami", "-o", "json").out()).isEqualTo(ME + "\n");
    }

    @Test
    void whoamiSaysThatAServiceDoesNotAskForTokens() {
        service.answering("/v1/access/me", "{\"subject\":null,\"grants\":[],\"admin\":true}");

        assertThat(run("auth", "whoami").out()).endsWith("The service does not ask for tokens.\n");
    }

    @Test
    void canTellsYesAndByWhichGrant() {
        service.answering("/v1/access/can", "{\"allowed\":true,\"by\":\"grants[2] of team-*\"}");

        assertThat(run("auth", "can", "acquire", "locks/billing/db"))
                .isEqualTo(new Shell.Result(0, "Yes: grants[2] of team-*\n", ""));
        assertThat(service.asked().getFirst())
                .isEqualTo(new OddServer.Asked(
                        "POST", "/v1/access/can", "{\"action\":\"acquire\",\"resource\":\"locks/billing/db\"}"));
    }

    @Test
    void canTellsNoByAnExitCodeOfItsOwn() {
        service.answering("/v1/access/can", "{\"allowed\":false}");

        assertThat(run("auth", "can", "force", "locks/")).isEqualTo(new Shell.Result(Exit.FORBIDDEN, "No.\n", ""));
        assertThat(run("auth", "can", "force", "locks/", "-o", "json"))
                .isEqualTo(new Shell.Result(Exit.FORBIDDEN, "{\"allowed\":false}\n", ""));
        assertThat(run("auth", "can", "force", "locks/", "-o", "plain"))
                .isEqualTo(new Shell.Result(Exit.FORBIDDEN, "allowed\tfalse\n", ""));
    }

    @Test
    void adminHasNoResource() {
        service.answering("/v1/access/can", "{\"allowed\":true}");

        assertThat(run("auth", "can", "admin")).isEqualTo(new Shell.Result(0, "Yes.\n", ""));
        assertThat(service.asked().getFirst().body()).isEqualTo("{\"action\":\"admin\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "read locks", "admin locks/a", "read locks/a b"})
    void aQuestionThatCannotBeMeantIsNotAsked(String typed) {
        CliCalls.refused(Exit.USAGE, run(("auth can " + typed).split(" ")));

        assertThat(service.asked()).isEmpty();
    }

    @Test
    void anUnknownKindIsToldByTheService() {
        service.answering(
                "/v1/access/can",
                400,
                "application/problem+json",
                "{\"code\":\"invalid-input\",\"detail\":\"resource must begin with locks/, apps/ or so.\"}");

        assertThat(CliCalls.refused(Exit.USAGE, run("auth", "can", "read", "elephants/a")))
                .contains("resource must begin with");
    }

    private Shell.Result run(String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of("HOLDFAST_URL", service.url()), "", words);
    }
}
