/** What commands print: tables, JSON, colours, durations, errors and exit codes. Knows no other package of the command line. */
package io.holdfast.cli.output;
