/** The commands {@code databases} and {@code brake}. */
package io.holdfast.cli.database;
