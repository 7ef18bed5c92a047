package io.holdfast.actuator;

import io.holdfast.kernel.TestClock;
import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.remote.KubernetesConfig;
import io.holdfast.remote.KubernetesSettings;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The actuators as the service runs them, and one database that they act on. */
final class Rig implements AutoCloseable {
    static final long EPOCH = 7;
    static final DatabaseId DATABASE = new DatabaseId("db.internal:5432");

    static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDEXAMPLE", "example"));

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    final TestClock clock = new TestClock(Instant.parse("2025-03-01T10:00:00Z"));

    private final Vertx vertx = Vertx.vertx();
    private final Actuators actuators;
    private final Database database;

    Rig(ActuatorSettings config, ActuatorSpec spec) {
        this(config, KubernetesSettings.plain(config.url()), CREDENTIALS, spec);
    }

    Rig(ActuatorConfig config, KubernetesConfig kubernetes, AwsCredentialsProvider credentials, ActuatorSpec spec) {
        actuators = new Actuators(config, kubernetes, vertx, clock, credentials);
        var address = new Database.Address("db.internal", Optional.of(5432), Optional.empty());
        database = new Database(DATABASE, "postgres", address, spec);
    }

    Outcome stop() {
        return actuators.stop(database, EPOCH).await().atMost(ANSWER_WITHIN);
    }

    Outcome start() {
        return actuators.start(database, EPOCH).await().atMost(ANSWER_WITHIN);
    }

    State state() {
        return actuators.state(database).await().atMost(ANSWER_WITHIN).state();
    }

    /** Begins to read the state, and does not wait for it. */
    void look() {
        actuators.state(database).subscribe().with(state -> {});
    }

    /** Gives an order on an event loop, and is done when that loop gets to its next task. */
    void stopOnEventLoop() {
        var free = new CompletableFuture<Void>();
        var loop = vertx.getOrCreateContext();
        loop.runOnContext(first -> actuators.stop(database, EPOCH).subscribe().with(outcome -> {}));
        loop.runOnContext(next -> free.complete(null));
        free.orTimeout(ANSWER_WITHIN.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        actuators.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
