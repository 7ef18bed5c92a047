package io.holdfast.cli;

import io.holdfast.cli.app.AppCommandFacts;
import io.holdfast.cli.app.StatusCommandFacts;
import io.holdfast.cli.database.DatabaseCommandFacts;
import io.holdfast.cli.doctor.DoctorFacts;
import io.holdfast.cli.job.JobCommandFacts;
import io.holdfast.cli.lock.LockCommandFacts;
import io.holdfast.cli.service.ServiceCommandFacts;

/** All that is known of the commands that ask the service. */
interface CommandFacts
        extends LockCommandFacts,
                AppCommandFacts,
                DatabaseCommandFacts,
                StatusCommandFacts,
                JobCommandFacts,
                ServiceCommandFacts,
                DoctorFacts,
                UsageFacts {}
