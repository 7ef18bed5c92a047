/**
 * Values and pure rules of stopping and starting: power state, decisions,
 * {@link io.holdfast.power.model.StopPolicy}, brake. Knows the registry and values of locks.
 */
package io.holdfast.power.model;
