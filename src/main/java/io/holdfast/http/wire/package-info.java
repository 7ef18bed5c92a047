/** The JSON that goes over the wire, flat and in snake_case. */
package io.holdfast.http.wire;
