/** The command {@code auth}: who a client is to the service, what it may do, and the hash of its token. */
package io.holdfast.cli.auth;
