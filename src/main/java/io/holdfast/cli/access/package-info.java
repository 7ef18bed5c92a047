/** The command {@code access}: checks an access file without the service. */
package io.holdfast.cli.access;
