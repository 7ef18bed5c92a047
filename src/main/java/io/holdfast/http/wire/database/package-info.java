/** The JSON bodies of apps and databases. Knows no domain type. */
package io.holdfast.http.wire.database;
