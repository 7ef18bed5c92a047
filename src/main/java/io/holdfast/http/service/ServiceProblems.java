package io.holdfast.http.service;

import io.holdfast.http.edge.Problems;
import io.holdfast.http.lock.LockResponses;
import io.holdfast.lifecycle.feed.FeedTerms;
import io.holdfast.lifecycle.feed.TooManyReadersException;
import io.holdfast.lifecycle.model.Deployment;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.WriteOutcome;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.stream.Collectors;

/** Problem responses about services. */
final class ServiceProblems {
    private ServiceProblems() {}

    static Response noSuchService(ServiceId id) {
        return Problems.answer(
                Problems.problem(404, "not-found", "Not found", "There is no service '%s'.".formatted(id)));
    }

    static Response illegal(WriteOutcome.Illegal illegal, Instant now) {
        var service = illegal.service();
        var allowed = service.status().allowed().stream().map(Enum::name).collect(Collectors.joining(", "));
        var detail = "Service '%s' is %s and cannot become %s.".formatted(service.id(), service.status(), illegal.to());
        return Problems.answer(Problems.problem(409, "illegal-transition", "Illegal transition", detail)
                .withTransition(service.status().name(), illegal.to().name(), allowed)
                .withService(ServiceBodies.of(service, now)));
    }

    static Response staleEpoch(Service service, Instant now) {
        var detail = "The request names a deployment of service '%s' that is not the latest, or that has ended: %s."
                .formatted(
                        service.id(),
                        service.deployment().map(ServiceProblems::latest).orElse("it was never deployed"));
        return Problems.answer(Problems.problem(409, "stale-epoch", "Stale epoch", detail)
                .withService(ServiceBodies.of(service, now)));
    }

    private static String latest(Deployment deployment) {
        return deployment
                .end()
                .map(end -> "deployment %s with epoch %d was ended with %s by the %s"
                        .formatted(
                                deployment.id(),
                                deployment.epoch(),
                                end.status(),
                                end.by().text()))
                .orElseGet(() ->
                        "the latest is deployment %s with epoch %d".formatted(deployment.id(), deployment.epoch()));
    }

    static Response versionConflict(Service service, Instant now) {
        var detail = "Service '%s' has changed: it is %s with version %d. Its status was not changed by this request."
                .formatted(service.id(), service.status(), service.version());
        return Problems.answer(Problems.problem(409, "version-conflict", "Version conflict", detail)
                .withService(ServiceBodies.of(service, now)));
    }

    static Response notLocked(ServiceId id, WriteOutcome.NotLocked refused, Instant now) {
        return refused.lock()
                .map(lock -> LockResponses.refused(
                        lock,
                        "The status of service '%s' was not changed after %d tries.".formatted(id, refused.tries()),
                        now))
                .orElseGet(() -> lockLost(id));
    }

    private static Response lockLost(ServiceId id) {
        var detail = "The lock '%s' was lost before the write. The status of service '%s' was not changed."
                .formatted(id.lock(), id);
        return Problems.builder(Problems.problem(409, "lock-conflict", "Lock conflict", detail))
                .header(HttpHeaders.RETRY_AFTER, Problems.RETRY_SECONDS)
                .build();
    }

    static Response tooManyReaders(TooManyReadersException full) {
        var detail = "%d event streams are open here, as many as %s allows. Ask again later"
                .formatted(full.readers(), FeedTerms.READERS_MAX);
        return Problems.builder(Problems.problem(429, "queue-full", "Queue full", detail)
                        .withWaiting(full.readers()))
                .header(HttpHeaders.RETRY_AFTER, Problems.RETRY_SECONDS)
                .build();
    }
}
