/** The process of the command line: arguments, signals, standard streams, terminal. */
package io.holdfast.boot.cli;
