/** The embedded store: one process, one SQLite file, one writer. All records are also in memory. */
package io.holdfast.store.embedded;
