/**
 * Tables in memory, changed by one writer thread, and written to an SQLite file before a change is answered. Knows no
 * record that is stored.
 */
package io.holdfast.store.embedded.engine;
