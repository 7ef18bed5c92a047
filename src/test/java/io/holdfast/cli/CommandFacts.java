package io.holdfast.cli;

/** All that is known of the commands that ask the service. */
interface CommandFacts
        extends LockCommandFacts, AppCommandFacts, DatabaseCommandFacts, StatusCommandFacts, DoctorFacts, UsageFacts {}
