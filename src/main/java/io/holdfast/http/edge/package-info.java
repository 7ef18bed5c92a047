/** Before and after every request: access, filters, strict JSON, problem responses, parameters. */
package io.holdfast.http.edge;
