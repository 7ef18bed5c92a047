package io.holdfast.boot;

import io.holdfast.access.AccessLimits;
import io.holdfast.access.AccessService;
import io.holdfast.kernel.Timers;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.RejectedExecutionException;
import org.jboss.logging.Logger;

/** Reads the access file before the service starts, and then again and again on a worker thread, one read at a time. */
@Singleton
final class AccessRefresh {
    private static final Logger LOG = Logger.getLogger(AccessRefresh.class);

    /** The first request needs the file. */
    private static final int BEFORE_THE_SCHEDULER = -1;

    private final AccessService access;
    private final AccessLimits limits;
    private final Timers timers;
    private volatile boolean stopped;

    AccessRefresh(AccessService access, AccessLimits limits, Timers timers) {
        this.access = access;
        this.limits = limits;
        this.timers = timers;
    }

    void start(@Observes @Priority(BEFORE_THE_SCHEDULER) StartupEvent event) {
        access.load();
        if (access.isOn()) {
            later();
        }
    }

    void stop(@Observes ShutdownEvent event) {
        stopped = true;
    }

    private void later() {
        timers.after(limits.reloadEvery(), this::onWorker);
    }

    private void onWorker() {
        if (stopped) {
            return;
        }
        try {
            Infrastructure.getDefaultExecutor().execute(this::refresh);
        } catch (RejectedExecutionException full) {
            later();
        }
    }

    private void refresh() {
        try {
            access.refresh();
        } catch (RuntimeException e) {
            LOG.error("Access file could not be read again", e);
        } finally {
            later();
        }
    }
}
