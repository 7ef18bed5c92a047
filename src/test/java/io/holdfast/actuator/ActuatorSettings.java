package io.holdfast.actuator;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** The settings of the actuators, all pointing at one stand-in. */
record ActuatorSettings(URI url, Duration callTimeout, int awsParallelMax) implements ActuatorConfig {
    /** Long enough that only what hangs for ever runs into it. */
    private static final Duration PATIENT = Duration.ofSeconds(60);

    /** Short, for tests in which nobody ever answers. */
    private static final Duration HASTY = Duration.ofMillis(300);

    static ActuatorSettings at(URI url) {
        return new ActuatorSettings(url, PATIENT, 16);
    }

    ActuatorSettings hasty() {
        return new ActuatorSettings(url, HASTY, awsParallelMax);
    }

    ActuatorSettings withAwsParallelMax(int given) {
        return new ActuatorSettings(url, callTimeout, given);
    }

    @Override
    public Optional<URI> ec2Endpoint() {
        return Optional.of(url);
    }

    @Override
    public Optional<URI> rdsEndpoint() {
        return Optional.of(url);
    }

    @Override
    public Duration simulatedDuration() {
        return Duration.ofSeconds(1);
    }
}
