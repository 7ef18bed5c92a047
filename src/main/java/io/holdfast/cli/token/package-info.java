/** Where the token of the command line comes from: a variable, a file or a command. Knows {@code output}. */
package io.holdfast.cli.token;
