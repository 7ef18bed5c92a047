/** What commands print: tables, JSON, colours, durations, errors and exit codes. Knows no command. */
package io.holdfast.cli.output;
