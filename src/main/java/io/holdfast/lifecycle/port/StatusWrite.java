package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.util.Optional;

/** A request to change the status of a service. */
public sealed interface StatusWrite {
    Writer by();

    /**
     * @param deadline how long the deployment may take; if absent, what the service or the settings say
     * @param ifVersion the version that the caller has seen; if absent, any
     */
    record Deploy(DeploymentId id, Optional<String> reason, Optional<Duration> deadline, Optional<Long> ifVersion)
            implements StatusWrite {
        @Override
        public Writer by() {
            return Writer.API;
        }
    }

    /**
     * The end of a deployment, as its worker reports it.
     *
     * @param status RUNNING or FAILED
     * @param rolledBack whether it failed, and what ran before runs again; only with RUNNING
     */
    record Report(
            DeploymentId deployment, long epoch, ServiceStatus status, boolean rolledBack, Optional<String> reason)
            implements StatusWrite {
        @Override
        public Writer by() {
            return Writer.WORKER;
        }
    }

    /**
     * @param status any but DEPLOYING, which needs a deployment
     * @param ifVersion the version that the caller has seen; if absent, any
     */
    record Set(ServiceStatus status, Optional<String> reason, Optional<Long> ifVersion) implements StatusWrite {
        @Override
        public Writer by() {
            return Writer.API;
        }
    }

    /** @param seen of the very version of the service that is repaired */
    record Repair(ServiceStatus status, Observation seen) implements StatusWrite {
        @Override
        public Writer by() {
            return Writer.RECONCILER;
        }
    }

    record Remove() implements StatusWrite {
        @Override
        public Writer by() {
            return Writer.API;
        }
    }
}
