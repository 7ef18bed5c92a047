/** The command {@code clusters}: registers and shows the clusters on which jobs run. */
package io.holdfast.cli.cluster;
