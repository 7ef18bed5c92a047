/** Benchmarks. They print figures and assert nothing; {@code make bench} runs them. */
package io.holdfast.bench;
