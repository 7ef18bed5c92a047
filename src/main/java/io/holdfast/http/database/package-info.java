/** Resources for apps, databases and their power. Knows {@code edge}, {@code wire}, the registry and power. */
package io.holdfast.http.database;
