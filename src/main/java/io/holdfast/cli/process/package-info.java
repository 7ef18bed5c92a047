/** Child processes, their environment variables and the terminal's foreground group. Knows {@code base} and {@code output}. */
package io.holdfast.cli.process;
