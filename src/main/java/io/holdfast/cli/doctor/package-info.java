/** The command {@code doctor}: checks the connection, the service and the settings. */
package io.holdfast.cli.doctor;
