package io.holdfast.actuator;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.remote.Excerpt;
import io.smallrye.mutiny.Uni;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.rds.RdsClient;
import software.amazon.awssdk.services.rds.RdsClientBuilder;
import software.amazon.awssdk.services.rds.model.RdsException;

/**
 * Stops and starts RDS instances and Aurora clusters.
 *
 * <p>AWS starts a stopped instance or cluster again after seven days. The reconciler then reads it as running, and
 * stops it if there is still a stop request.
 */
final class RdsActuator implements AutoCloseable {
    private static final Set<String> WRONG_STATE = Set.of("InvalidDBInstanceState", "InvalidDBClusterStateFault");

    /** RDS has one error for transient and permanent refusals; only the message distinguishes them. */
    private static final Pattern PERMANENT = Pattern.compile(
            "(?i)read[- ]replica|multi-az|mirroring|not eligible|n[o']t support|serverless|global|invalid db type");

    private static final Pattern BROKEN =
            Pattern.compile("deleting|deleted|failed|restore-error|incompatible-.*|inaccessible-.*");

    /** Statuses in which the database accepts connections. */
    private static final Set<String> SERVING = Set.of(
            "available",
            "backing-up",
            "storage-optimization",
            "configuring-enhanced-monitoring",
            "configuring-iam-database-auth",
            "configuring-log-exports");

    private final AwsClients<RdsClient, RdsClientBuilder> clients;
    private final AwsCalls calls;

    RdsActuator(AwsClients.Access access, Executor threads) {
        clients = new AwsClients<>(RdsClient::builder, access);
        calls = new AwsCalls(threads, access);
    }

    PowerSwitch of(ActuatorSpec.Rds spec) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return calls.order(() -> order(target(spec), State.STOPPED));
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return calls.order(() -> order(target(spec), State.RUNNING));
            }

            @Override
            public Uni<Reading> state() {
                return calls.read(() -> reading(target(spec).status()));
            }
        };
    }

    private Target target(ActuatorSpec.Rds spec) {
        var client = clients.in(spec.region());
        return spec.cluster() ? new Cluster(client, spec.identifier()) : new Instance(client, spec.identifier());
    }

    private static Outcome order(Target target, State wanted) {
        try {
            if (wanted == State.STOPPED) {
                target.stop();
            } else {
                target.start();
            }
            return new Outcome.Accepted();
        } catch (RdsException e) {
            if (!WRONG_STATE.contains(AwsCalls.code(e))) {
                return AwsCalls.failed(e);
            }
            // The identifier may contain a word of the pattern.
            var message = AwsCalls.message(e).replace(target.identifier(), "");
            return PERMANENT.matcher(message).find()
                    ? new Outcome.Refused(AwsCalls.reason(e))
                    : wrongState(target.status(), wanted, e);
        }
    }

    private static Outcome wrongState(String status, State wanted, RdsException refusal) {
        var now = reading(status).state();
        var inProgress = wanted == State.STOPPED ? State.STOPPING : State.STARTING;
        if (now == wanted || now == inProgress) {
            return new Outcome.Already();
        }
        var reason = "the status is " + Excerpt.of(status) + ", " + AwsCalls.reason(refusal);
        return BROKEN.matcher(status).matches() ? new Outcome.Refused(reason) : new Outcome.Retry(reason);
    }

    private static Reading reading(String status) {
        if (SERVING.contains(status)) {
            return new Reading(State.RUNNING, status);
        }
        return switch (status) {
            case "stopping" -> new Reading(State.STOPPING, status);
            case "stopped" -> new Reading(State.STOPPED, status);
            case "starting" -> new Reading(State.STARTING, status);
            default -> Reading.unknown("the status is " + Excerpt.of(status));
        };
    }

    private sealed interface Target {
        String identifier();

        void stop();

        void start();

        /** Empty if RDS reports none. */
        String status();
    }

    private record Instance(RdsClient client, String identifier) implements Target {
        @Override
        public void stop() {
            client.stopDBInstance(request -> request.dbInstanceIdentifier(identifier));
        }

        @Override
        public void start() {
            client.startDBInstance(request -> request.dbInstanceIdentifier(identifier));
        }

        @Override
        public String status() {
            return client
                    .describeDBInstances(request -> request.dbInstanceIdentifier(identifier))
                    .dbInstances()
                    .stream()
                    .map(instance -> String.valueOf(instance.dbInstanceStatus()))
                    .findFirst()
                    .orElse("");
        }
    }

    private record Cluster(RdsClient client, String identifier) implements Target {
        @Override
        public void stop() {
            client.stopDBCluster(request -> request.dbClusterIdentifier(identifier));
        }

        @Override
        public void start() {
            client.startDBCluster(request -> request.dbClusterIdentifier(identifier));
        }

        @Override
        public String status() {
            return client.describeDBClusters(request -> request.dbClusterIdentifier(identifier)).dbClusters().stream()
                    .map(cluster -> String.valueOf(cluster.status()))
                    .findFirst()
                    .orElse("");
        }
    }

    @Override
    public void close() {
        clients.close();
    }
}
