/**
 * Values and pure rules of stopping: the state of a database, decisions, {@link io.holdfast.power.model.StopPolicy}, the brake. Knows the registry
 * and values of locks.
 */
package io.holdfast.power.model;
