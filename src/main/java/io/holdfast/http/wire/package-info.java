/** The JSON bodies of the API, shared with the command line. Knows no domain type. */
package io.holdfast.http.wire;
