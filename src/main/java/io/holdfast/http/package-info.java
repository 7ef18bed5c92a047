/** The HTTP API. Resources are grouped by capability below; here are those of the service itself. */
package io.holdfast.http;
