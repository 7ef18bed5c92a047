/** ChildProcess processes and the terminal's foreground group. Knows no command. */
package io.holdfast.cli.process;
