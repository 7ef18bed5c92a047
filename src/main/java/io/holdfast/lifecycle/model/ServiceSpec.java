package io.holdfast.lifecycle.model;

import java.time.Duration;
import java.util.Optional;

/**
 * What a registration says of a service. A change of it does not change the status.
 *
 * @param deployDeadline how long a deployment may take; if absent, the setting
 */
public record ServiceSpec(ObserveSpec observe, Optional<Duration> deployDeadline) {}
