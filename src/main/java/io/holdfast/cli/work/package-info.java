/**
 * The command {@code work}: claims jobs, runs a handler for each, sends heartbeats, and reports how the handler ended. Each
 * slot of a worker does this for one job at a time.
 */
package io.holdfast.cli.work;
