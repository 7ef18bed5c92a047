/** The HTTP client of the command line. */
package io.holdfast.cli.api;
