/** The JSON bodies of clusters and jobs. Knows no domain type. */
package io.holdfast.http.wire.job;
