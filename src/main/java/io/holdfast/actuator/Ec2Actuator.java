package io.holdfast.actuator;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.Ec2ClientBuilder;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.InstanceStateChange;
import software.amazon.awssdk.services.ec2.model.InstanceStateName;

/** Stops and starts EC2 instances. Never forces a stop. */
final class Ec2Actuator implements AutoCloseable {
    private static final String WRONG_STATE = "IncorrectInstanceState";

    private final AwsClients<Ec2Client, Ec2ClientBuilder> clients;
    private final AwsCalls calls;

    Ec2Actuator(AwsClients.Access access, Executor threads) {
        clients = new AwsClients<>(Ec2Client::builder, access);
        calls = new AwsCalls(threads, access);
    }

    PowerSwitch of(ActuatorSpec.Ec2 spec) {
        return new PowerSwitch() {
            @Override
            public Uni<Outcome> stop(long epoch) {
                return calls.order(() -> stopNow(spec));
            }

            @Override
            public Uni<Outcome> start(long epoch) {
                return calls.order(() -> startNow(spec));
            }

            @Override
            public Uni<Reading> state() {
                return calls.read(() -> reading(describe(spec)));
            }
        };
    }

    private Outcome stopNow(ActuatorSpec.Ec2 spec) {
        try {
            return stopped(before(clients.in(spec.region())
                    .stopInstances(request -> request.instanceIds(spec.instanceId()))
                    .stoppingInstances()));
        } catch (Ec2Exception e) {
            return WRONG_STATE.equals(AwsCalls.code(e)) ? notStoppable(describe(spec), e) : AwsCalls.failed(e);
        }
    }

    private Outcome startNow(ActuatorSpec.Ec2 spec) {
        try {
            return started(before(clients.in(spec.region())
                    .startInstances(request -> request.instanceIds(spec.instanceId()))
                    .startingInstances()));
        } catch (Ec2Exception e) {
            return WRONG_STATE.equals(AwsCalls.code(e)) ? notStartable(describe(spec), e) : AwsCalls.failed(e);
        }
    }

    private static Outcome stopped(InstanceStateName before) {
        return switch (before) {
            case STOPPED, STOPPING -> new Outcome.Already();
            case SHUTTING_DOWN, TERMINATED -> terminated(before);
            case PENDING, RUNNING, UNKNOWN_TO_SDK_VERSION -> new Outcome.Accepted();
        };
    }

    private static Outcome started(InstanceStateName before) {
        return switch (before) {
            case PENDING, RUNNING -> new Outcome.Already();
            case SHUTTING_DOWN, TERMINATED -> terminated(before);
            case STOPPED, STOPPING, UNKNOWN_TO_SDK_VERSION -> new Outcome.Accepted();
        };
    }

    private static Outcome notStoppable(InstanceStateName now, Ec2Exception refusal) {
        return switch (now) {
            case STOPPED, STOPPING -> new Outcome.Already();
            case PENDING -> new Outcome.Retry("the instance is still starting");
            case SHUTTING_DOWN, TERMINATED -> terminated(now);
            case RUNNING, UNKNOWN_TO_SDK_VERSION -> new Outcome.Refused(AwsCalls.reason(refusal));
        };
    }

    private static Outcome notStartable(InstanceStateName now, Ec2Exception refusal) {
        return switch (now) {
            case PENDING, RUNNING -> new Outcome.Already();
            case STOPPING -> new Outcome.Retry("the instance is still stopping");
            case SHUTTING_DOWN, TERMINATED -> terminated(now);
            case STOPPED, UNKNOWN_TO_SDK_VERSION -> new Outcome.Refused(AwsCalls.reason(refusal));
        };
    }

    private static Outcome terminated(InstanceStateName state) {
        return new Outcome.Refused("the instance is " + state);
    }

    private static InstanceStateName before(List<InstanceStateChange> changes) {
        return changes.stream()
                .map(change -> change.previousState())
                .filter(state -> state != null && state.name() != null)
                .map(state -> state.name())
                .findFirst()
                .orElse(InstanceStateName.UNKNOWN_TO_SDK_VERSION);
    }

    private InstanceStateName describe(ActuatorSpec.Ec2 spec) {
        return clients
                .in(spec.region())
                .describeInstances(request -> request.instanceIds(spec.instanceId()))
                .reservations()
                .stream()
                .flatMap(reservation -> reservation.instances().stream())
                .filter(instance -> spec.instanceId().equals(instance.instanceId()) && instance.state() != null)
                .map(instance -> instance.state().name())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(InstanceStateName.UNKNOWN_TO_SDK_VERSION);
    }

    private static Reading reading(InstanceStateName now) {
        return switch (now) {
            case PENDING -> new Reading(State.STARTING, now.toString());
            case RUNNING -> new Reading(State.RUNNING, now.toString());
            case STOPPING -> new Reading(State.STOPPING, now.toString());
            case STOPPED -> new Reading(State.STOPPED, now.toString());
            case SHUTTING_DOWN, TERMINATED -> Reading.unknown("the instance is " + now);
            case UNKNOWN_TO_SDK_VERSION -> Reading.unknown("EC2 reports no state for the instance");
        };
    }

    @Override
    public void close() {
        clients.close();
    }
}
