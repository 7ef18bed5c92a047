/** The JSON bodies of locks. Knows no domain type. */
package io.holdfast.http.wire.lock;
