/** Before and after every request: filters, strict JSON, problem responses, parameters. Knows no capability. */
package io.holdfast.http.edge;
