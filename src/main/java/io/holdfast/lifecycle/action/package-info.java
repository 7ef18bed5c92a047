/** Guarded writes of one service's status: lock, read, decide, write by version. Knows {@code lock}. */
package io.holdfast.lifecycle.action;
