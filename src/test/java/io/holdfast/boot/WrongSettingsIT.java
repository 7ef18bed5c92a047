package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WrongSettingsIT {
    /** @param named what the message must name, so that a person knows what to change */
    record Wrong(Map<String, String> settings, List<String> named) {}

    static Stream<Wrong> wrongSettings() {
        return Stream.of(
                new Wrong(
                        Map.of("HOLDFAST_POWER_SHARED_DB_LOCK_ENABLED", "ture"),
                        List.of("\nHoldfast cannot start: holdfast.power.shared-db-lock-enabled must be true or false,"
                                + " not 'ture': set HOLDFAST_POWER_SHARED_DB_LOCK_ENABLED.\n")),
                new Wrong(Map.of("HOLDFAST_STORE", "floppy"), List.of("holdfast.store", "floppy")),
                new Wrong(
                        Map.of("HOLDFAST_LOCK_TTL_DEFAULT", "2h", "HOLDFAST_LOCK_TTL_MAX", "1h"),
                        List.of("holdfast.lock.ttl-max (3600s)", "holdfast.lock.ttl-default (7200s)")),
                new Wrong(
                        Map.of("HOLDFAST_SWEEP_LOCK_TTL", "1s", "HOLDFAST_SWEEP_STEP_PAUSE", "500ms"),
                        List.of("holdfast.sweep.lock-ttl", "holdfast.sweep.step-pause")),
                new Wrong(
                        Map.of("LOCK_TTL_SECONDS", "10"),
                        List.of("holdfast.power.lock-ttl (10s)", "twice holdfast.power.lease-margin (20s)")),
                new Wrong(
                        Map.of("HOLDFAST_LOCK_TTL_MIN", "15s"),
                        List.of("holdfast.lifecycle.lock-ttl (10s)", "holdfast.lock.ttl-min (15s)")),
                new Wrong(
                        Map.of("HOLDFAST_LIFECYCLE_RECONCILE_LOCK_TTL", "2h", "HOLDFAST_LOCK_TTL_MAX", "1h"),
                        List.of("holdfast.lock.ttl-max (3600s)", "holdfast.lifecycle.reconcile-lock-ttl (7200s)")),
                new Wrong(
                        Map.of("HOLDFAST_ACTUATOR_CALL_TIMEOUT", "11s"),
                        List.of("holdfast.power.lease-margin (10s)", "twice holdfast.actuator.call-timeout (22s)")));
    }

    /** @param sentence all that is printed, after "Holdfast cannot start: " */
    record Reason(Map<String, String> settings, String sentence) {}

    static Stream<Reason> reasons() throws IOException {
        var file = Files.createTempFile(Files.createDirectories(PackagedProgram.TARGET), "not-a-folder", "");
        var dataDir = "HOLDFAST_DATA_DIR";
        var mend = ". Set HOLDFAST_DATA_DIR to a folder that this process may write to.";
        return Stream.of(
                new Reason(
                        Map.of(dataDir, file.toString()),
                        "The data folder " + file + " cannot be used: it is not a folder" + mend),
                new Reason(
                        Map.of(dataDir, file.resolve("below").toString()),
                        "The data folder " + file.resolve("below") + " cannot be used: Not a directory" + mend),
                new Reason(
                        Map.of(dataDir, "/proc/holdfast"),
                        "The data folder /proc/holdfast cannot be used: it cannot be created" + mend),
                new Reason(
                        Map.of(dataDir, "/sys"),
                        "The data folder /sys cannot be used: this user (" + System.getProperty("user.name")
                                + ") may not write to it" + mend),
                new Reason(
                        Map.of(dataDir, ""),
                        "holdfast.data-dir is empty: give HOLDFAST_DATA_DIR a value, or remove it."),
                new Reason(
                        Map.of("HOLDFAST_STORE", "foo"),
                        "holdfast.store must be embedded or dynamodb, not 'foo': set HOLDFAST_STORE."),
                new Reason(
                        Map.of("HOLDFAST_LOCK_TTL_MAX", "soon"),
                        "holdfast.lock.ttl-max must be a duration such as 250ms, 30s, 5m, 24h or PT30S, not 'soon':"
                                + " set HOLDFAST_LOCK_TTL_MAX."),
                new Reason(
                        Map.of("HOLDFAST_DRAIN_DELAY", "soon"),
                        "quarkus.shutdown.delay must be a duration such as 250ms, 30s, 5m, 24h or PT30S, not 'soon':"
                                + " set HOLDFAST_DRAIN_DELAY."),
                new Reason(Map.of("HOLDFAST_LOG_JSON", "ture"), "HOLDFAST_LOG_JSON must be true or false, not 'ture'."),
                new Reason(Map.of("HOLDFAST_LOG_JSON", ""), "HOLDFAST_LOG_JSON must be true or false, not ''."),
                new Reason(
                        Map.of("QUARKUS_HTTP_PORT", "99999"),
                        "quarkus.http.port must be from 0 to 65535, not '99999': set QUARKUS_HTTP_PORT."),
                new Reason(
                        Map.of("HOLDFAST_SWEEP_EVERY", "often"),
                        "holdfast.sweep.every must be a duration such as 30s, 5m, 24h or PT30S, or off,"
                                + " not 'often': set HOLDFAST_SWEEP_EVERY."),
                new Reason(
                        Map.of("HOLDFAST_LIFECYCLE_RECONCILE_EVERY", "often"),
                        "holdfast.lifecycle.reconcile-every must be a duration such as 30s, 5m, 24h or PT30S, or off,"
                                + " not 'often': set HOLDFAST_LIFECYCLE_RECONCILE_EVERY."),
                new Reason(
                        Map.of("HOLDFAST_HTTP_BODY_MAX", "64KB", "HOLDFAST_LOCK_SET_MAX", "9999999999"),
                        "holdfast.http.body-max must be a size such as 512, 64K or 1M, not '64KB': set"
                                + " HOLDFAST_HTTP_BODY_MAX. holdfast.lock.set-max must be a whole number in range,"
                                + " not '9999999999': set HOLDFAST_LOCK_SET_MAX."));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void theOnlyLineSaysWhatIsWrongAndWhichSettingMendsIt(Reason reason) {
        var environment = new HashMap<>(reason.settings());
        environment.putIfAbsent(
                "HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());

        try (var program = PackagedProgram.launch(environment)) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output().lines()).containsExactly("Holdfast cannot start: " + reason.sentence());
        }
    }

    @Test
    void aPortThatIsInUseIsNamedWithItsSetting() throws IOException {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var program = PackagedProgram.launch(Map.of(
                        "HOLDFAST_DATA_DIR",
                        PackagedProgram.newDataFolder().toString(),
                        "QUARKUS_HTTP_PORT",
                        "" + other.getLocalPort()))) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output().lines().toList().getLast())
                    .startsWith("Holdfast cannot start: ")
                    .contains("" + other.getLocalPort(), "set QUARKUS_HTTP_PORT to a free port");
        }
    }

    @Test
    void withoutARegionTheLastLineNamesTheVariable() {
        try (var program = PackagedProgram.launch(dynamoDbWithout("AWS_REGION"))) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output().lines())
                    .containsExactly("Holdfast cannot start: No AWS region is set: set AWS_REGION.");
        }
    }

    @Test
    void withoutCredentialsEveryPlaceSaysSoInOneSentence() {
        var sentence = "No AWS credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                + " or AWS_PROFILE, or run Holdfast with an IAM role.";
        try (var program = PackagedProgram.launch(dynamoDbWithout("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
                        .awaitListening();
                var calls = new ProgramCalls(program.address())) {
            assertThat(calls.get("/v1/locks/nightly").text("detail")).startsWith(sentence);
            assertThat(calls.get("/q/health").body().toString())
                    .contains(sentence)
                    .doesNotContain("Sdk");
            assertThat(program.output())
                    .contains("AWS credentials not given error=\"" + sentence + "\"")
                    .doesNotContain("Provider");
        }
    }

    /** The settings of a service on DynamoDB that looks for nothing outside of its environment. */
    private static Map<String, String> dynamoDbWithout(String... missing) {
        var environment = new HashMap<>(Map.of(
                "HOLDFAST_STORE",
                "dynamodb",
                "HOME",
                PackagedProgram.newDataFolder().toString(),
                "AWS_CONFIG_FILE",
                "/nowhere",
                "AWS_SHARED_CREDENTIALS_FILE",
                "/nowhere",
                "AWS_EC2_METADATA_DISABLED",
                "true",
                "AWS_REGION",
                "eu-west-3",
                "AWS_ACCESS_KEY_ID",
                "AKIA",
                "AWS_SECRET_ACCESS_KEY",
                "secret"));
        environment.keySet().removeAll(List.of(missing));
        return environment;
    }

    @ParameterizedTest
    @MethodSource("wrongSettings")
    void theProgramDoesNotStartAndNamesTheKeys(Wrong wrong) {
        var environment = new HashMap<>(wrong.settings());
        environment.put("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString());

        try (var program = PackagedProgram.launch(environment)) {
            assertThat(program.awaitExit()).isNotZero();
            assertThat(program.output()).contains(wrong.named()).doesNotContain("Listening on");
        }
    }
}
