/** Random histories of workers, replicas and faults, and the oracle that judges them by what workers were told. */
package io.holdfast.job.history;
