package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.output.Exit;
import io.holdfast.suite.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command that calls the service, when another one answers; {@link TroubleIT} has those that nobody answers. */
@Slow
class TroubleTest {
    /** Longer than any answer takes on a busy machine. */
    private static final String TIMEOUT = "1m";

    /** A request whose outcome is in doubt is repeated for this long. */
    private static final String REPEATED_FOR = "1s";

    /** Shown as 5.0s. Long enough to connect on a busy machine. */
    private static final String SILENCE = "5s";

    private static final int GATEWAY_ERROR = 502;

    static Stream<String> commands() {
        return Stream.of(
                "locks list",
                "locks status deploy",
                "locks acquire deploy",
                "locks renew deploy --owner me",
                "locks release deploy --owner me",
                "locks release deploy --force --reason stuck",
                "locks hold deploy",
                "exec --lock deploy -- echo ran",
                "exec --lock deploy --lock dns --wait 200ms -- echo ran",
                "apps list",
                "apps show billing",
                "apps put billing --database i-0abc",
                "apps rm billing",
                "apps start billing",
                "apps stop billing --dry-run",
                "databases list",
                "databases show i-0abc",
                "databases put i-0abc --type postgres --host db --actuator kind=ec2",
                "databases rm i-0abc",
                "databases decisions i-0abc",
                "status billing",
                "brake show",
                "brake pause --reason tonight",
                "brake resume",
                "auth whoami",
                "auth can read locks/deploy",
                "clusters list",
                "clusters show web",
                "clusters create web --platform aws --base-domain a.example",
                "jobs list",
                "jobs show 1",
                "jobs submit web CREATE",
                "jobs cancel 1 --reason wrong",
                "jobs retry 1 --reason fixed",
                "services list",
                "services show web",
                "services put web --unobserved",
                "services rm web",
                "services deploy web -- echo ran",
                "services result web --deployment-id 3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10 --epoch 7 --status FAILED",
                "services set web STOPPED",
                "services history web",
                "services watch",
                "services reconciliation show",
                "services reconciliation pause --reason tonight",
                "services reconciliation resume");
    }

    /** Those that only sort others are left out, and so are those that ask nobody or have tests of this of their own. */
    @Test
    void noCommandIsForgotten() {
        assertThat(Commands.all())
                .filteredOn(command -> command.line().getSubcommands().isEmpty())
                .extracting(command -> String.join(" ", command.words()))
                .filteredOn(command -> !Set.of(
                                "access check",
                                "auth hash",
                                "completion",
                                "doctor",
                                "serve",
                                "table create",
                                "table check",
                                "work")
                        .contains(command))
                .allSatisfy(command -> assertThat(commands()).anyMatch(typed -> typed.startsWith(command)));
    }

    /** Whoever only looked need not fear that something has happened. */
    @Test
    void onlyWhatChangesSomethingMayStillHappen() throws IOException {
        try (var silent = new ServerSocket(0)) {
            assertThat(lastLine(run(silent.getLocalPort(), SILENCE, "locks list")))
                    .endsWith(" did not answer within 5.0s.");
            assertThat(lastLine(run(silent.getLocalPort(), SILENCE, "databases rm db:5432")))
                    .endsWith("; the request may still be carried out.");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aPageOfSomebodyElsesIsNotTakenForAnAnswer(String command) throws IOException {
        for (var status : List.of(200, 404, GATEWAY_ERROR)) {
            var page = "<html>not here</html>".getBytes(StandardCharsets.UTF_8);
            var other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            other.createContext("/", exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(status, page.length);
                exchange.getResponseBody().write(page);
                exchange.close();
            });
            other.start();
            try {
                var port = other.getAddress().getPort();
                if (status == GATEWAY_ERROR && isRepeated(command)) {
                    // On a busy machine, the last of several answers may come too late.
                    lastLine(run(port, REPEATED_FOR, command));
                } else {
                    assertThat(lastLine(run(port, TIMEOUT, command))).contains("not from Holdfast");
                }
            } finally {
                other.stop(0);
            }
        }
    }

    private static boolean isRepeated(String command) {
        return Stream.of("locks acquire", "locks hold", "exec", "services deploy")
                .anyMatch(command::startsWith);
    }

    private static Shell.Result run(int port, String timeout, String command) {
        // Before a command that is to be run, whose words are its own.
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(1, List.of("--timeout", timeout));
        return new ShellInProcess(CliEnvironment.Terminals.NONE)
                .run(Map.of("HOLDFAST_URL", "http://localhost:" + port), "", words.toArray(String[]::new));
    }

    private static String lastLine(Shell.Result result) {
        assertThat(result.exit()).as(result.toString()).isEqualTo(Exit.UNAVAILABLE);
        assertThat(result.out()).isEmpty();
        return result.err().lines().reduce((before, last) -> last).orElseThrow();
    }
}
