package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.stage.Webhook.Mood;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The program is killed in the middle of a stop, and the one that comes after it goes on. */
class PowerKillNineIT {
    private final Map<String, String> environment = new HashMap<>(PowerCrew.PATIENT);
    private final Map<String, String> successor;

    PowerKillNineIT() {
        environment.put("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());
        successor = new HashMap<>(environment);
        successor.putAll(PowerCrew.SHORT_LEASE);
    }

    @Test
    void aStopThatWasCommittedAndNeverCarriedOutIsOrderedByTheNext() {
        try (var crew = new PowerCrew()) {
            killWhileItOrders(crew, Mood.DEAD);

            try (var next = PackagedProgram.start(successor);
                    var calls = new ProgramCalls(next.address())) {
                crew.freeLock(calls);
                await().until(() -> crew.observed(calls).equals("STOPPED"));
                assertThat(crew.machine.state()).isEqualTo("STOPPED");
                assertThat(crew.webhook.orders()).containsOnly("stop").hasSizeGreaterThan(1);
                assertThat(crew.webhook.keys()).containsOnly(crew.webhook.keys().getFirst());
            }
        }
    }

    @Test
    void aStopThatWasCarriedOutIsNotOrderedAgain() {
        try (var crew = new PowerCrew()) {
            killWhileItOrders(crew, Mood.SPEECHLESS);

            try (var next = PackagedProgram.start(successor);
                    var calls = new ProgramCalls(next.address())) {
                crew.freeLock(calls);
                await().until(() -> crew.observed(calls).equals("STOPPED"));
                assertThat(crew.webhook.orders()).containsExactly("stop");
            }
        }
    }

    @Test
    void aStopThatAnAppCameUpAgainstIsCalledOffByTheNext() {
        try (var crew = new PowerCrew()) {
            killWhileItOrders(crew, Mood.DEAD);
            crew.second.comeUp();

            try (var next = PackagedProgram.start(successor);
                    var calls = new ProgramCalls(next.address())) {
                crew.freeLock(calls);
                await().until(() -> crew.observed(calls).equals("RUNNING"));
                assertThat(crew.machine.state()).isEqualTo("RUNNING");
                assertThat(crew.ordersByKey()).containsExactly("stop", "start");
            }
        }
    }

    @Test
    void whatWasAnsweredIsThereAfterwards() {
        try (var crew = new PowerCrew()) {
            try (var program = PackagedProgram.start(environment);
                    var calls = new ProgramCalls(program.address())) {
                crew.register(calls);
                crew.second.goDown();
                assertThat(PowerCrew.stop(calls, crew.firstName)).isEqualTo("STOPPED");
                program.kill9();
                program.awaitExit();
            }
            try (var next = PackagedProgram.start(environment);
                    var calls = new ProgramCalls(next.address())) {
                assertThat(crew.observed(calls)).isEqualTo("STOPPED");
                assertThat(calls.get("/v1/apps/" + crew.secondName).status()).isEqualTo(200);
                assertThat(calls.get("/v1/databases/" + crew.database + "/decisions")
                                .body()
                                .at("/decisions/0/decision")
                                .asText())
                        .isEqualTo("STOPPED");
            }
        }
    }

    /** Its order has arrived, and its answer never will. */
    private void killWhileItOrders(PowerCrew crew, Mood mood) {
        try (var program = PackagedProgram.start(environment);
                var calls = new ProgramCalls(program.address())) {
            crew.register(calls);
            crew.second.goDown();
            crew.webhook.become(mood);
            Thread.ofVirtual().start(() -> unanswered(calls, crew.firstName));
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> crew.webhook.orders().equals(List.of("stop")));
            program.kill9();
            program.awaitExit();
        }
        crew.first.goDown();
        crew.webhook.become(Mood.OBEDIENT);
    }

    private static void unanswered(ProgramCalls calls, String app) {
        try {
            PowerCrew.stop(calls, app);
        } catch (RuntimeException asExpected) {
            // The program is killed before it can answer.
        }
    }
}
