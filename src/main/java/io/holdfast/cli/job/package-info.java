/** The command {@code jobs}: submits, shows, cancels and retries the jobs of clusters. */
package io.holdfast.cli.job;
