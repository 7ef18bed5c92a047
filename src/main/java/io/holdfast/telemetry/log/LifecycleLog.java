package io.holdfast.telemetry.log;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.LifecycleListener;
import io.holdfast.lifecycle.port.WriteOutcome;
import java.time.Duration;
import org.jboss.logging.Logger;

/** One log line per step of a service: a constant message, then key=value pairs. */
public final class LifecycleLog implements LifecycleListener {
    private static final Logger LOG = Logger.getLogger("io.holdfast.lifecycle");

    @Override
    public void moved(Move move) {
        var cause = move.cause();
        LOG.infof(
                "Status of service changed service=%s from=%s to=%s version=%d by=%s%s%s%s",
                move.service(),
                move.from().map(Enum::name).orElse("-"),
                move.to().map(Enum::name).orElse("-"),
                move.version(),
                cause.by().text(),
                cause.deployment().map(id -> " deployment=" + id).orElse(""),
                cause.seen()
                        .map(seen -> " seen=" + seen.state() + " detail=" + LogValue.of(seen.detail()))
                        .orElse(""),
                cause.reason().map(reason -> " reason=" + LogValue.of(reason)).orElse(""));
    }

    @Override
    public void refused(ServiceId service, Writer by, WriteOutcome outcome) {
        LOG.infof(
                "Status of service not changed service=%s by=%s outcome=%s",
                service, by.text(), outcome.getClass().getSimpleName());
    }

    @Override
    public void lockAcquired(ServiceId service, int tries, Duration waited) {
        LOG.debugf("Lock of service acquired service=%s tries=%d duration_ms=%d", service, tries, waited.toMillis());
    }

    @Override
    public void lockExtended(ServiceId service, Duration ttl) {
        LOG.infof("Lock of service extended service=%s ttl_ms=%d", service, ttl.toMillis());
    }

    @Override
    public void lockReleased(ServiceId service, Duration held) {
        LOG.debugf("Lock of service released service=%s duration_ms=%d", service, held.toMillis());
    }

    @Override
    public void lockNotAcquired(ServiceId service, Writer by, int tries, Duration waited) {
        LOG.warnf(
                "Lock of service not acquired, its status is not changed service=%s by=%s tries=%d duration_ms=%d",
                service, by.text(), tries, waited.toMillis());
    }

    @Override
    public void lockLost(ServiceId service, Writer by) {
        LOG.warnf("Lock of service lost, its status is not changed service=%s by=%s", service, by.text());
    }

    @Override
    public void notRepaired(ServiceId service, Observation seen, NoRepair reason) {
        LOG.infof(
                "Status of service not repaired service=%s seen=%s detail=%s reason=%s",
                service, seen.state(), LogValue.of(seen.detail()), reason);
    }

    @Override
    public void passed(Counts counts) {
        LOG.logf(
                counts.repaired() > 0 ? Logger.Level.INFO : Logger.Level.DEBUG,
                "Services reconciled repaired=%d overdue=%d unknown=%d",
                counts.repaired(),
                counts.overdue(),
                counts.unknown());
    }

    @Override
    public void notCounted(NoCount reason) {}
}
