package io.holdfast.cli.work;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a worker does, from its options.
 *
 * @param types the types of jobs that it claims
 * @param labels what a cluster must have
 * @param command the handler with its arguments
 * @param heartbeatEvery overrides what the service asks for
 * @param stopGrace from SIGTERM to SIGKILL, and how long a handler may run on after the worker was told to stop
 * @param once whether each slot ends after one job
 */
record WorkTerms(
        List<String> types,
        Map<String, String> labels,
        List<String> command,
        Optional<Duration> heartbeatEvery,
        Duration stopGrace,
        boolean once) {}
