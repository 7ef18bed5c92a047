package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Deployment;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides every change of a service's status. Pure: the input is the service as it was read, the request and the time,
 * the result is the answer and the change to write.
 *
 * @param deployDeadline how long a deployment may take if neither the request nor the service says so
 */
public record LifecycleRules(Duration deployDeadline) {

    /** @param lastVersion the last version of an earlier service with the same id; 0 if there was none */
    public StatusChange register(ServiceId id, ServiceSpec spec, long lastVersion, Instant now) {
        var version = Math.max(now.toEpochMilli(), lastVersion + 1);
        var service = Service.registered(id, spec, version, now);
        var cause = new Move.Cause(Writer.API, Optional.empty(), Optional.empty(), false, Optional.empty());
        var move = new Move(id, version, now, Optional.empty(), Optional.of(service.status()), cause);
        return new StatusChange(Optional.empty(), Optional.of(service), move);
    }

    public Decision decide(Service service, StatusWrite write, Instant now) {
        return switch (write) {
            case StatusWrite.Deploy deploy -> deploy(service, deploy, now);
            case StatusWrite.Report report -> report(service, report, now);
            case StatusWrite.Set set -> set(service, set, now);
            case StatusWrite.Repair repair -> repair(service, repair, now);
            case StatusWrite.Remove remove -> remove(service, now);
        };
    }

    private Decision deploy(Service service, StatusWrite.Deploy deploy, Instant now) {
        if (service.deployment()
                .filter(latest -> latest.id().equals(deploy.id()))
                .isPresent()) {
            return Decision.refused(new WriteOutcome.WrittenBefore(service));
        }
        if (service.deployment().filter(latest -> latest.follows(deploy.id())).isPresent()) {
            return Decision.refused(new WriteOutcome.StaleEpoch(service));
        }
        if (isOutdated(deploy.ifVersion(), service)) {
            return Decision.refused(new WriteOutcome.VersionConflict(service));
        }
        if (!service.status().canMoveTo(ServiceStatus.DEPLOYING)) {
            return illegal(service, ServiceStatus.DEPLOYING);
        }
        var deadline = deploy.deadline().or(service.spec()::deployDeadline).orElse(deployDeadline);
        var after = service.deploying(deploy.id(), deploy.reason(), now.plus(deadline), now);
        return moved(service, after, new Why(Writer.API, deploy.reason(), false, Optional.empty()));
    }

    /** A deployment can be ended once. After that, its worker knows less than the writer that ended it. */
    private static Decision report(Service service, StatusWrite.Report report, Instant now) {
        var latest = service.deployment().filter(deployment -> deployment.is(report.deployment(), report.epoch()));
        if (latest.isEmpty()) {
            return Decision.refused(new WriteOutcome.StaleEpoch(service));
        }
        if (latest.get().end().filter(end -> isResult(end, report)).isPresent()) {
            return Decision.refused(new WriteOutcome.WrittenBefore(service));
        }
        if (!service.status().canMoveTo(report.status())) {
            return illegal(service, report.status());
        }
        if (latest.get().end().isPresent()) {
            return Decision.refused(new WriteOutcome.StaleEpoch(service));
        }
        var after = service.movedTo(report.status(), report.rolledBack(), Writer.WORKER, now);
        return moved(service, after, new Why(Writer.WORKER, report.reason(), report.rolledBack(), Optional.empty()));
    }

    private static boolean isResult(Deployment.End end, StatusWrite.Report report) {
        return end.by() == Writer.WORKER && end.status() == report.status() && end.rolledBack() == report.rolledBack();
    }

    private static Decision set(Service service, StatusWrite.Set set, Instant now) {
        if (isOutdated(set.ifVersion(), service)) {
            return Decision.refused(new WriteOutcome.VersionConflict(service));
        }
        if (!service.status().canMoveTo(set.status())) {
            return illegal(service, set.status());
        }
        var after = service.movedTo(set.status(), false, Writer.API, now);
        return moved(service, after, new Why(Writer.API, set.reason(), false, Optional.empty()));
    }

    private static boolean isOutdated(Optional<Long> seen, Service service) {
        return seen.filter(version -> version != service.version()).isPresent();
    }

    /** May move between all statuses. A deployment before its deadline is not repaired. */
    private static Decision repair(Service service, StatusWrite.Repair repair, Instant now) {
        var isUnderWay = service.status() == ServiceStatus.DEPLOYING && !service.isOverdueAt(now);
        if (isUnderWay || service.status() == repair.status()) {
            return illegal(service, repair.status());
        }
        var after = service.movedTo(repair.status(), false, Writer.RECONCILER, now);
        return moved(service, after, new Why(Writer.RECONCILER, Optional.empty(), false, Optional.of(repair.seen())));
    }

    private static Decision remove(Service service, Instant now) {
        var cause = new Move.Cause(Writer.API, Optional.empty(), Optional.empty(), false, Optional.empty());
        var move = new Move(
                service.id(), service.version() + 1, now, Optional.of(service.status()), Optional.empty(), cause);
        return new Decision(
                new WriteOutcome.Written(service),
                Optional.of(new StatusChange(Optional.of(service), Optional.empty(), move)));
    }

    private record Why(Writer by, Optional<String> reason, boolean rolledBack, Optional<Observation> seen) {}

    private static Decision moved(Service before, Service after, Why why) {
        var cause = new Move.Cause(
                why.by(), why.reason(), after.deployment().map(Deployment::id), why.rolledBack(), why.seen());
        var move = new Move(
                after.id(),
                after.version(),
                after.since(),
                Optional.of(before.status()),
                Optional.of(after.status()),
                cause);
        return new Decision(
                new WriteOutcome.Written(after),
                Optional.of(new StatusChange(Optional.of(before), Optional.of(after), move)));
    }

    private static Decision illegal(Service service, ServiceStatus to) {
        return Decision.refused(new WriteOutcome.Illegal(service, to));
    }
}
