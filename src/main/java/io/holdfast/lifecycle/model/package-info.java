/**
 * The values of services: status, deployments, history, observations, and the pure functions that judge them. Knows
 * {@code registry} for what is observed, and {@code lock.model} for the name of a service's lock.
 */
package io.holdfast.lifecycle.model;
