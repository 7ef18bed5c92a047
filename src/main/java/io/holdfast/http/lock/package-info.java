/** Resources for locks, lock sets and holds. Knows {@code edge}, {@code wire} and the lock capability. */
package io.holdfast.http.lock;
