/** The command {@code auth}: tokens. */
package io.holdfast.cli.auth;
