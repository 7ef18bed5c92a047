/** The command line. {@link io.holdfast.cli.Cli} is the entry point and lists the commands. Talks to the service over HTTP only. */
package io.holdfast.cli;
