package io.holdfast.http.service;

import io.holdfast.http.wire.service.MovesBody;
import io.holdfast.http.wire.service.ServicesBody;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.Timestamped;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.port.PutOutcome;
import io.holdfast.lifecycle.port.WriteOutcome;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Turns outcomes of requests about services into responses. */
final class ServiceResponses {
    private ServiceResponses() {}

    static Response put(PutOutcome outcome, Instant now) {
        return switch (outcome) {
            case PutOutcome.Registered registered ->
                Response.status(201)
                        .entity(ServiceBodies.of(registered.service(), now))
                        .build();
            case PutOutcome.Replaced replaced -> ok(ServiceBodies.of(replaced.service(), now));
        };
    }

    /** @param body what is answered of the service after a write */
    static Response write(ServiceId id, WriteOutcome outcome, Instant now, Function<Service, Object> body) {
        return switch (outcome) {
            case WriteOutcome.Written written -> ok(body.apply(written.service()));
            case WriteOutcome.WrittenBefore before -> ok(body.apply(before.service()));
            case WriteOutcome.NoSuchService none -> ServiceProblems.noSuchService(id);
            case WriteOutcome.Illegal illegal -> ServiceProblems.illegal(illegal, now);
            case WriteOutcome.StaleEpoch stale -> ServiceProblems.staleEpoch(stale.service(), now);
            case WriteOutcome.VersionConflict conflict -> ServiceProblems.versionConflict(conflict.service(), now);
            case WriteOutcome.NotLocked notLocked -> ServiceProblems.notLocked(id, notLocked, now);
        };
    }

    static Response find(ServiceId id, Timestamped<Optional<Service>> found) {
        return found.answer()
                .map(service -> ok(ServiceBodies.of(service, found.now())))
                .orElseGet(() -> ServiceProblems.noSuchService(id));
    }

    static Response list(Timestamped<Page<Service>> page) {
        var services = page.answer().items().stream()
                .map(service -> ServiceBodies.of(service, page.now()))
                .toList();
        return ok(new ServicesBody(services, next(page.answer())));
    }

    static Response history(ServiceId id, Optional<Page<Move>> found) {
        return found.map(page -> ok(new MovesBody(
                        page.items().stream().map(ServiceBodies::of).toList(), next(page))))
                .orElseGet(() -> ServiceProblems.noSuchService(id));
    }

    private static String next(Page<?> page) {
        return page.next().map(Cursor::text).orElse(null);
    }

    private static Response ok(Object body) {
        return Response.ok(body).build();
    }
}
