package io.holdfast.lifecycle.reconcile;

import io.holdfast.lifecycle.action.StatusLockTerms;
import java.time.Duration;

/**
 * The limits of the reconciler.
 *
 * @param stepSize how many services are read in one step
 * @param parallelMax how many services are observed at the same time
 * @param observationAgeMax a repair is made only if its observation began less than this ago
 * @param lock how it takes the lock of a service that needs a repair
 */
public record ReconcileTerms(int stepSize, int parallelMax, Duration observationAgeMax, StatusLockTerms lock) {}
