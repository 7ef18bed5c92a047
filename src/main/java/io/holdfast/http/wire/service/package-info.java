/** The JSON bodies of services. Knows no domain type. */
package io.holdfast.http.wire.service;
