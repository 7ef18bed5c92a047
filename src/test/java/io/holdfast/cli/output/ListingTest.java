package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.OddServer;
import io.holdfast.cli.Shell;
import io.holdfast.cli.ShellInProcess;
import io.holdfast.cli.base.CliEnvironment;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists, page after page. */
class ListingTest {
    private final OddServer service = new OddServer();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void pagesAreFollowedToTheEnd() {
        service.answering("/v1/apps?limit=500", "{\"apps\":[{\"name\":\"a\",\"url\":\"u\"}],\"next_cursor\":\"x/y\"}")
                .answering(
                        "/v1/apps?limit=500&cursor=x%2Fy",
                        "{\"apps\":[{\"name\":\"b\",\"databases\":[\"c\",\"d\"]}],\"next_cursor\":null}");

        assertThat(run("apps", "list").out())
                .isEqualTo(
                        """
                        NAME  PROBE  URL  DATABASES
                        a     -      u    -
                        b     -      -    c, d
                        """);
        assertThat(run("apps", "list", "-o", "plain").out()).isEqualTo("a\t\tu\t\nb\t\t\tc,d\n");
        assertThat(CliCalls.parsed(run("apps", "list", "-o", "json").out())).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, limit=1", "3, 3, limit=1&cursor=z", "4, 4, limit=2&cursor=z"})
    void aLimitIsOfAllPagesTogether(int limit, int rows, String lastAsked) {
        service.answering("/v1/databases/d/decisions?limit=1", page("1"))
                .answering("/v1/databases/d/decisions?limit=3", page("1,2"))
                .answering("/v1/databases/d/decisions?limit=4", page("1,2"))
                .answering("/v1/databases/d/decisions?limit=1&cursor=z", page("3"))
                .answering("/v1/databases/d/decisions?limit=2&cursor=z", page("3,4"));

        var listed = run("databases", "decisions", "d", "--limit", "" + limit, "-o", "json");

        assertThat(CliCalls.parsed(listed.out())).hasSize(rows);
        assertThat(service.asked().getLast().target()).endsWith("?" + lastAsked);
    }

    @Test
    void aFieldMayLieDeeper() {
        service.answering(
                "/v1/databases",
                "{\"databases\":[{\"id\":\"d\",\"actuator\":{\"kind\":\"ec2\",\"instance_id\":\"i-0\"}},{\"id\":\"e\"}]}");

        assertThat(run("databases", "list", "-o", "plain").out()).isEqualTo("d\t\t\tec2\ne\t\t\t\n");
    }

    @Test
    void nothingIsNothing() {
        service.answering("/v1/databases", "{\"databases\":[],\"next_cursor\":null}");

        assertThat(run("databases", "list")).isEqualTo(new Shell.Result(0, "", ""));
        assertThat(run("databases", "list", "-o", "json").out()).isEqualTo("[]\n");
    }

    private Shell.Result run(String... words) {
        return new ShellInProcess(CliEnvironment.Terminals.NONE).run(Map.of("HOLDFAST_URL", service.url()), "", words);
    }

    private static String page(String numbers) {
        return "{\"decisions\":[" + numbers + "],\"next_cursor\":\"z\"}";
    }
}
