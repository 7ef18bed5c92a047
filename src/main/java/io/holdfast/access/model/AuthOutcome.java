package io.holdfast.access.model;

/** The result of authenticating a request. */
public sealed interface AuthOutcome {
    record Authenticated(Caller caller) implements AuthOutcome {}

    /** The request shows no credentials. */
    record Missing() implements AuthOutcome {}

    /** @param reason a stable sentence for the answer and the audit log, without any part of the credentials */
    record Refused(String reason) implements AuthOutcome {}

    /**
     * The keys of the issuer cannot be fetched now, so its tokens can be neither accepted nor refused. Other issuers are
     * not affected.
     *
     * @param issuer its name in the access file
     */
    record Unavailable(String issuer) implements AuthOutcome {}
}
