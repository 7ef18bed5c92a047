/** Random histories of the writers of a service, with faults, and the oracle that judges them by what writers were told. */
package io.holdfast.lifecycle.history;
