package io.holdfast.access.model;

import io.holdfast.kernel.Subject;
import java.time.Instant;
import java.util.Optional;

/**
 * The authenticated sender of a request. Holds no grants: each decision asks the access file that is then in force.
 *
 * @param issuer the name of the issuer in the access file, or {@code token} or {@code cert}
 * @param expiresAt when the service stops accepting the token: its expiry and the leeway. Empty without an expiry
 * @param origin identifies the entry of the access file that vouches for the subject, so that a later version of the
 *     file without this entry ends long connections; holds no secret
 */
public record Caller(Subject subject, String issuer, Optional<Instant> expiresAt, String origin) {}
