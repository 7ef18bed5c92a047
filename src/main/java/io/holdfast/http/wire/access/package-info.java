/** JSON of access control. Knows no domain type. */
package io.holdfast.http.wire.access;
