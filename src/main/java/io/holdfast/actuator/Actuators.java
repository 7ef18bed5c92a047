package io.holdfast.actuator;

import io.holdfast.kernel.RepeatedProblems;
import io.holdfast.kernel.Settings;
import io.holdfast.power.port.Actuator;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.KubernetesApi;
import io.holdfast.remote.KubernetesConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/** Delegates each order to the actuator of the database. AWS clients are created on first use. */
@Singleton
@Typed(Actuators.class)
public class Actuators implements Actuator {
    private static final Logger LOG = Logger.getLogger(Actuators.class);
    private static final Duration CALL_TIMEOUT_MIN = Duration.ofMillis(100);
    private static final int KUBERNETES_CONNECTIONS_MAX = 16;

    private final AwsThreads awsThreads;
    /** The timeout of an order is the call timeout times this. Settings of the callers depend on it. */
    public static final int CALLS_PER_ORDER = 2;

    private final Duration orderMax;
    private final Ec2Actuator ec2;
    private final RdsActuator rds;
    private final KubernetesApi kubernetesApi;
    private final ScaleActuator scale;
    private final CloudNativePgActuator cloudNativePg;
    private final WebhookActuator webhook;
    private final SimulatedActuator simulated;
    private final InstantSource clock;
    private final RepeatedProblems<DatabaseId> unknownStates = new RepeatedProblems<>();
    private final RepeatedProblems<String> failedOrders = new RepeatedProblems<>();

    @Inject
    Actuators(
            ActuatorConfig config,
            KubernetesConfig kubernetes,
            Vertx vertx,
            InstantSource clock,
            AwsCredentialsProvider credentials) {
        this.clock = clock;
        var timeout = config.callTimeout();
        orderMax = timeout.multipliedBy(CALLS_PER_ORDER);
        Settings.requireAtLeast("holdfast.actuator.call-timeout", timeout, "the minimum", CALL_TIMEOUT_MIN);
        Settings.requireAtLeast("holdfast.actuator.aws-parallel-max", config.awsParallelMax(), 1);
        awsThreads = new AwsThreads(config.awsParallelMax());
        ec2 = new Ec2Actuator(new AwsClients.Access(credentials, config.ec2Endpoint(), timeout), awsThreads);
        rds = new RdsActuator(new AwsClients.Access(credentials, config.rdsEndpoint(), timeout), awsThreads);
        // Separate connections, so that many probes cannot delay an order.
        kubernetesApi =
                new KubernetesApi(vertx, kubernetes, new KubernetesApi.Bounds(timeout, KUBERNETES_CONNECTIONS_MAX));
        var objects = new KubernetesObjects(kubernetesApi);
        scale = new ScaleActuator(objects);
        cloudNativePg = new CloudNativePgActuator(objects);
        webhook = new WebhookActuator(vertx, timeout, clock);
        simulated = new SimulatedActuator(config.simulatedDuration(), clock);
    }

    @Override
    public Uni<Outcome> stop(Database database, long epoch) {
        return order(new Order("stop", database, epoch), control -> control.stop(epoch));
    }

    @Override
    public Uni<Outcome> start(Database database, long epoch) {
        return order(new Order("start", database, epoch), control -> control.start(epoch));
    }

    @Override
    public Uni<Reading> state(Database database) {
        return Uni.createFrom()
                .deferred(() -> switchOf(database).state())
                .onFailure()
                .recoverWithItem(failure -> Reading.unknown(Excerpt.of(failure)))
                .invoke(reading -> log(database, reading));
    }

    private PowerSwitch switchOf(Database database) {
        return switch (database.actuator()) {
            case ActuatorSpec.Ec2 spec -> ec2.of(spec);
            case ActuatorSpec.Rds spec -> rds.of(spec);
            case ActuatorSpec.Scale spec -> scale.of(spec.workload());
            case ActuatorSpec.CloudNativePg spec -> cloudNativePg.of(spec);
            case ActuatorSpec.Webhook spec -> webhook.of(database.id(), spec);
            case ActuatorSpec.Simulated spec -> simulated.of(database.id());
        };
    }

    private record Order(String action, Database database, long epoch) {}

    private Uni<Outcome> order(Order order, Function<PowerSwitch, Uni<Outcome>> call) {
        return Uni.createFrom().deferred(() -> {
            var started = System.nanoTime();
            return Uni.createFrom()
                    .deferred(() -> call.apply(switchOf(order.database())))
                    // Also prevents later calls of an order after its timeout.
                    .ifNoItem()
                    .after(orderMax)
                    .recoverWithItem(() -> new Outcome.Retry("no answer within " + Settings.text(orderMax)))
                    .onFailure()
                    .recoverWithItem(failure -> unexpected(order, failure))
                    .invoke(outcome -> log(order, outcome, Duration.ofNanos(System.nanoTime() - started)));
        });
    }

    /** A bug in an actuator must not fail the caller: the order can be retried. */
    private static Outcome unexpected(Order order, Throwable failure) {
        LOG.errorf(
                failure,
                "Database order failed db=%s action=%s",
                order.database().id(),
                order.action());
        return new Outcome.Retry(Excerpt.of(failure));
    }

    /** Logs repeated failures of an order at growing intervals. */
    private void log(Order order, Outcome outcome, Duration took) {
        var key = order.database().id() + " " + order.action();
        var now = clock.instant();
        switch (outcome) {
            case Outcome.Accepted accepted -> {
                failedOrders.ended(key, now);
                log(order, "accepted", took);
            }
            case Outcome.Already already -> {
                failedOrders.ended(key, now);
                log(order, "already", took);
            }
            case Outcome.Refused refused ->
                failedOrders
                        .occurred(key, refused.reason(), now)
                        .ifPresent(report -> log(order, failed("refused", refused.reason(), report), took));
            case Outcome.Retry retry ->
                failedOrders
                        .occurred(key, retry.reason(), now)
                        .ifPresent(report -> log(order, failed("retry", retry.reason(), report), took));
        }
    }

    private static String failed(String outcome, String reason, RepeatedProblems.Report report) {
        return outcome + " reason=\"" + reason + "\"" + report.suffix();
    }

    private static void log(Order order, String outcome, Duration took) {
        LOG.infof(
                "Database order given db=%s actuator=%s action=%s epoch=%d duration_ms=%d outcome=%s",
                order.database().id(),
                order.database().actuator().kind(),
                order.action(),
                order.epoch(),
                took.toMillis(),
                outcome);
    }

    private void log(Database database, Reading reading) {
        if (reading.state() == State.UNKNOWN) {
            unknownStates
                    .occurred(database.id(), reading.detail(), clock.instant())
                    .ifPresent(report -> log(Logger.Level.WARN, database, reading, report.suffix()));
            return;
        }
        unknownStates
                .ended(database.id(), clock.instant())
                .ifPresentOrElse(
                        ended -> log(
                                Logger.Level.INFO,
                                database,
                                reading,
                                " unknown_for_ms=" + ended.lasted().toMillis()),
                        () -> log(Logger.Level.DEBUG, database, reading, ""));
    }

    private static void log(Logger.Level level, Database database, Reading reading, String suffix) {
        LOG.logf(
                level,
                "Database state read db=%s actuator=%s state=%s detail=\"%s\"%s",
                database.id(),
                database.actuator().kind(),
                reading.state(),
                reading.detail(),
                suffix);
    }

    @PreDestroy
    void close() {
        awsThreads.close();
        ec2.close();
        rds.close();
        kubernetesApi.close();
        webhook.close();
    }
}
