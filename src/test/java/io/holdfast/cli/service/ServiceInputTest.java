package io.holdfast.cli.service;

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
import org.junit.jupiter.params.provider.CsvSource;

/** What the options of services become. */
class ServiceInputTest {
    private final OddServer server = new OddServer()
            .answering("/v1/", "{\"id\":\"web\",\"services\":[],\"moves\":[],\"next_cursor\":null}")
            .answering("/v1/reconciliation", "{\"paused\":true,\"reason\":\"tonight\"}");

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            textBlock =
                    """
            put web --unobserved | PUT | /v1/services/web | {}
            put web --url http://a/ --deploy-deadline 1h30m | PUT | /v1/services/web | {"observe":{"url":"http://a/"},"deploy_deadline":"5400000ms"}
            put web --url http://a/ --probe http-cautious | PUT | /v1/services/web | {"observe":{"url":"http://a/","probe":"http-cautious"}}
            put web --kubernetes shop/Deployment/web | PUT | /v1/services/web | {"observe":{"kubernetes":{"namespace":"shop","kind":"Deployment","name":"web"}}}
            set web STOPPED | PUT | /v1/services/web/status | {"status":"STOPPED"}
            set web STOPPED --reason night --if-version 7 | PUT | /v1/services/web/status | {"status":"STOPPED","reason":"night","if_version":7}
            result web --deployment-id a --epoch 7 --status FAILED --reason no | POST | /v1/services/web/result | {"deployment_id":"a","epoch":7,"status":"FAILED","reason":"no"}
            result web --deployment-id a --epoch 7 --rolled-back | POST | /v1/services/web/result | {"deployment_id":"a","epoch":7,"status":"RUNNING","rolled_back":true}
            rm web | DELETE | /v1/services/web | ''
            list --status FAILED --prefix we --limit 5 | GET | /v1/services?status=FAILED&prefix=we&limit=5 | ''
            history web | GET | /v1/services/web/history?limit=20 | ''
            """)
    void optionsBecomeARequest(String words, String method, String target, String body) {
        assertThat(run("services " + words).exit()).isZero();

        assertThat(server.asked()).containsExactly(new OddServer.Asked(method, target, body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            put web                                     | Describe what to register
            put web --deploy-deadline 5m                | Give one of --url, --kubernetes and --unobserved
            put web --url http://a/ --unobserved        | Give one of --url, --kubernetes and --unobserved
            put web --unobserved --probe http-200       | --probe needs --url
            put web --kubernetes shop/web               | --kubernetes must be namespace/kind/name
            put web --unobserved --file -               | With --file, leave the other options out
            result web --deployment-id a --epoch 7      | Give --status or --rolled-back
            deploy web --rollback-command true          | --rollback-command needs a command after --
            watch web --prefix we                       | Give NAME or --prefix, not both
            list --limit 0                              | --limit must be 1 or more
            history web --limit 0                       | --limit must be 1 or more
            """)
    void whatDoesNotFitTogetherIsRefused(String words, String sentence) {
        assertThat(CliCalls.refused(Exit.USAGE, run("services " + words))).contains(sentence);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void theRepairOfStatusesIsPausedWithAReason() {
        assertThat(run("services reconciliation show").out())
                .isEqualTo(
                        """
                        paused  true
                        reason  tonight
                        """);
        assertThat(run("services reconciliation pause --reason tonight").exit()).isZero();
        assertThat(run("services reconciliation resume").exit()).isZero();
        assertThat(server.asked())
                .containsExactly(
                        new OddServer.Asked("GET", "/v1/reconciliation", ""),
                        new OddServer.Asked("PUT", "/v1/reconciliation", "{\"paused\":true,\"reason\":\"tonight\"}"),
                        new OddServer.Asked("PUT", "/v1/reconciliation", "{\"paused\":false}"));

        assertThat(run("services reconciliation pause").exit()).isEqualTo(Exit.USAGE);
        assertThat(shell().run(environment(), "", "services", "reconciliation", "pause", "--reason", " ")
                        .err())
                .contains("--reason must not be blank");
    }

    private Shell.Result run(String words) {
        return shell().run(environment(), "", words.split(" "));
    }

    private static Shell shell() {
        return new ShellInProcess(CliEnvironment.Terminals.NONE);
    }

    private Map<String, String> environment() {
        return Map.of("HOLDFAST_URL", server.url());
    }
}
