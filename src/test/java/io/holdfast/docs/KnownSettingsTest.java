package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.KnownSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of known settings against the code, both ways, and what is said of a name that is not in it. */
class KnownSettingsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\bHOLDFAST_[A-Z0-9_]*[A-Z0-9]");

    @Test
    void theKeysAreThoseOfAllMappings() {
        assertThat(KnownSettings.keys())
                .containsExactlyInAnyOrderElementsOf(
                        Setting.all().stream().map(Setting::key).toList());
    }

    /** Where a variable is read by its own name: the command line, the launcher, the wrapper, application.properties. */
    @Test
    void theVariablesAreThoseThatTheCodeNames() throws IOException {
        var files = new ArrayList<>(List.of(
                Path.of("src/main/sh/holdfast"),
                Path.of("examples/terraform/with-lock.sh"),
                Path.of("src/main/resources/application.properties")));
        try (var sources = Files.walk(Path.of("src/main/java"))) {
            sources.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("KnownSettings.java"))
                    .forEach(files::add);
        }
        var named = new TreeSet<String>();
        for (var file : files) {
            VARIABLE.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .forEach(named::add);
        }
        named.removeAll(Setting.all().stream().map(Setting::environment).collect(Collectors.toSet()));
        // Only examples of what is reported or left alone.
        named.removeIf(name -> name.endsWith("_DEFUALT"));

        assertThat(KnownSettings.variables()).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void everySettingIsKnownUnderAllItsNames() {
        for (var setting : Setting.all()) {
            assertThat(KnownSettings.variable(setting.key())).isEqualTo(setting.environment());
            assertThat(KnownSettings.unknownVariable(setting.environment(), "1"))
                    .isEmpty();
            assertThat(KnownSettings.unknownVariable(setting.key(), "1")).isEmpty();
            assertThat(KnownSettings.unknownKey(setting.key())).isEmpty();
            assertThat(KnownSettings.unknownKey("%prod." + setting.key())).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HOLDFAST_LOCK_TTL_DEFUALT, HOLDFAST_LOCK_TTL_DEFAULT",
        "HOLDFAST_STROE, HOLDFAST_STORE",
        "HOLDFAST_DATADIR, HOLDFAST_DATA_DIR",
        "HOLDFAST_TTL_MIN, HOLDFAST_LOCK_TTL_MIN",
        "HOLDFAST_RENEWAL_HEARTBEATS_MAX, HOLDFAST_RENEWAL_HEARTBEAT_MAX",
        "HOLDFAST_PORT, QUARKUS_HTTP_PORT",
        "HOLDFAST_LOG_LEVEL, QUARKUS_LOG_LEVEL",
        "HOLDFAST_LOGJSON, HOLDFAST_LOG_JSON",
        "HOLDFAST_JSON_LOG, HOLDFAST_LOG_JSON",
        "holdfast_tabel, HOLDFAST_TABLE",
        "HOLDFAST_ELEPHANTS, ",
    })
    void anUnknownVariableIsNamedWithTheNearestOne(String name, String nearest) {
        var unknown = KnownSettings.unknownVariable(name, "8080").orElseThrow();

        assertThat(unknown.name()).isEqualTo(name);
        assertThat(unknown.nearest().orElse(null)).isEqualTo(nearest);
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast.lock.ttl-defualt, holdfast.lock.ttl-default",
        "holdfast.lock.ttl.default, holdfast.lock.ttl-default",
        "%dev.holdfast.tabel, holdfast.table",
        "holdfast.port, quarkus.http.port",
        "HOLDFAST_LOCK_TTL_MAX, holdfast.lock.ttl-max",
        "holdfast.log.json, HOLDFAST_LOG_JSON",
        "holdfast.log-jsn, HOLDFAST_LOG_JSON",
        "HOLDFAST_LOGJSON, HOLDFAST_LOG_JSON",
        "holdfast.drain-delay, HOLDFAST_DRAIN_DELAY",
        "holdfast.elephants, ",
    })
    void anUnknownKeyIsNamedWithTheNearestOne(String name, String nearest) {
        var unknown = KnownSettings.unknownKey(name).orElseThrow();

        assertThat(unknown.name()).isEqualTo(name);
        assertThat(unknown.nearest().orElse(null)).isEqualTo(nearest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HOLDFAST_SERVICE_HOST",
                "HOLDFAST_SERVICE_PORT",
                "HOLDFAST_SERVICE_PORT_HTTP",
                "HOLDFAST_SERVICE_PORT_HTTP_MANAGEMENT",
                "HOLDFAST_PORT",
                "HOLDFAST_PORT_8080_TCP",
                "HOLDFAST_PORT_8080_TCP_ADDR",
                "HOLDFAST_PORT_8080_TCP_PORT",
                "HOLDFAST_PORT_8080_TCP_PROTO",
                "HOLDFAST_METRICS_PORT",
                "HOLDFAST_METRICS_SERVICE_HOST",
                "HOLDFAST_METRICS_PORT_9090_UDP_ADDR",
            })
    void whatKubernetesSetsForAServiceIsNotReported(String name) {
        assertThat(KnownSettings.unknownVariable(name, "tcp://10.0.0.1:8080")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "HOLDFASTER_URL", "QUARKUS_HTTP_PORT", "LOCK_TTL_SECONDS", "MY_HOLDFAST_URL"})
    void whatIsNotOursIsLeftAlone(String name) {
        assertThat(KnownSettings.unknownVariable(name, "1")).isEmpty();
        assertThat(KnownSettings.unknownKey(name.toLowerCase(Locale.ROOT).replace('_', '.')))
                .isEmpty();
    }

    @Test
    void allOfAnEnvironmentAreNamedInTheirOrder() {
        var unknown = KnownSettings.unknownVariables(
                Map.of("HOLDFAST_STROE", "x", "HOLDFAST_A", "x", "HOLDFAST_URL", "http://x"));

        assertThat(unknown.stream().map(KnownSettings.Unknown::sentence))
                .containsExactly(
                        "HOLDFAST_A is not a setting.",
                        "HOLDFAST_STROE is not a setting; did you mean HOLDFAST_STORE?");
    }
}
