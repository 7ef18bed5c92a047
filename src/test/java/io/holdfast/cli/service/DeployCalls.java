package io.holdfast.cli.service;

import static io.holdfast.cli.service.FakeServices.BEGUN;
import static io.holdfast.cli.service.FakeServices.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.CommandInProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Deployments of the service {@code web} with real commands, and a service that answers what a test wants. */
abstract class DeployCalls {
    @TempDir
    Path folder;

    FakeServices services;

    @BeforeEach
    void serve() throws IOException {
        services = new FakeServices().answering("deploy", BEGUN).answering("result", WRITTEN);
    }

    @AfterEach
    void stop() {
        services.close();
    }

    final FakeServices fresh() throws IOException {
        services.close();
        services = new FakeServices();
        return services;
    }

    final void assertFailed(String reason) throws InterruptedException {
        var result = services.asked("result");
        assertThat(result.path("status").asText()).isEqualTo("FAILED");
        assertThat(result.has("rolled_back")).isFalse();
        assertThat(result.path("reason").asText()).isEqualTo(reason);
    }

    final void assertRolledBack(String reason) throws InterruptedException {
        JsonNode result = services.asked("result");
        assertThat(result.path("status").asText()).isEqualTo("RUNNING");
        assertThat(result.path("rolled_back").asBoolean()).isTrue();
        assertThat(result.path("reason").asText()).isEqualTo(reason);
    }

    final CommandInProcess deploy(String options, String script) {
        return deploy(options, List.of("sh", "-c", script));
    }

    final CommandInProcess deploy(String options, List<String> command) {
        return started(options.isEmpty() ? List.of() : List.of(options.split(" ")), command);
    }

    final CommandInProcess deployWithRollback(String rollback, String script) {
        return started(List.of("--rollback-command", rollback), List.of("sh", "-c", script));
    }

    final CommandInProcess started(List<String> options, List<String> command) {
        var words = new ArrayList<>(List.of("services", "deploy", "web"));
        words.addAll(options);
        words.add("--");
        words.addAll(command);
        return new CommandInProcess(services.url(), words);
    }

    /** For a shell: says that it is there, and waits for SIGTERM. */
    final String untilTerm(String then) {
        return "trap '%s' TERM; touch %s; while :; do sleep 0.05; done".formatted(then, file("ready"));
    }

    final Path file(String name) {
        return folder.resolve(name);
    }

    final void awaitFile(String name) {
        await().until(() -> Files.exists(file(name)));
    }
}
