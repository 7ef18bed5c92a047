/** Writers, workers and readers of services against the running program, with {@code kill -9}. */
package io.holdfast.lifecycle.chaos;
