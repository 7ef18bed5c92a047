/** The command {@code doctor}: checks the way to the service and its state. */
package io.holdfast.cli.doctor;
