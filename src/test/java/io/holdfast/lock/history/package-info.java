/**
 * Random histories of locks: several replicas on one store, in one thread and in virtual time.
 *
 * <p>A {@link io.holdfast.lock.history.Simulation} has one true time and a queue of events. Each
 * {@link io.holdfast.lock.history.Replica} runs the production services with a clock of its own, which may differ from the
 * true time, and may freeze, die and be replaced. Requests and answers travel between clients and replicas over a
 * {@link io.holdfast.lock.history.ClientNetwork}, and between replicas and the store over a
 * {@link io.holdfast.lock.history.StoreNetwork}; both delay, lose and repeat messages. A
 * {@link io.holdfast.lock.history.Profile} says how often each of this happens.
 *
 * <p>The {@link io.holdfast.lock.history.Oracle} judges a history by what clients asked and were told, and never by what
 * is stored. A seed gives the same history each time; the seed and the history are printed when the oracle finds a
 * violation.
 */
package io.holdfast.lock.history;
