/** Values of a lock: names, ids, tokens, the lease, the record and its wait queue. Knows only the kernel. */
package io.holdfast.lock.model;
