/** Resources for clusters and jobs. Knows {@code edge}, {@code wire} and jobs. */
package io.holdfast.http.job;
