/** The root command, the base classes of commands, and the process environment. Knows {@code api} and {@code output}. */
package io.holdfast.cli.base;
