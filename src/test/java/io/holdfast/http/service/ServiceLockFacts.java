package io.holdfast.http.service;

import static io.holdfast.http.Refusals.assertProblem;
import static io.holdfast.http.service.ServiceCalls.deploy;
import static io.holdfast.http.service.ServiceCalls.history;
import static io.holdfast.http.service.ServiceCalls.remove;
import static io.holdfast.http.service.ServiceCalls.report;
import static io.holdfast.http.service.ServiceCalls.service;
import static io.holdfast.http.service.ServiceCalls.set;
import static io.holdfast.http.service.ServiceCalls.status;
import static io.holdfast.http.service.ServiceCalls.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.Answer;
import io.holdfast.http.lock.LockCalls;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client that holds the lock of a service keeps all writers out. */
interface ServiceLockFacts {
    @Test
    default void noStatusIsWrittenWhileAClientHoldsTheLock() {
        var id = service();
        var deployed = deploy(id).expect(200);
        var version = version(id);
        var held = LockCalls.acquired("SERVICE#" + id, Map.of("owner", "ada", "ttl", "10m"));

        for (var refused : List.of(deploy(id), report(id, deployed, "RUNNING"), set(id, "FAILED"), remove(id))) {
            assertConflict(id, refused);
        }

        assertThat(version(id)).isEqualTo(version);
        assertThat(status(id)).isEqualTo("DEPLOYING");
        assertThat(history(id)).hasSize(2);
        LockCalls.release(held).expect(200);
        assertThat(report(id, deployed, "RUNNING").expect(200).<String>path("status"))
                .isEqualTo("RUNNING");
    }

    private static void assertConflict(String id, Answer refused) {
        assertProblem(refused, 409, "lock-conflict");
        assertThat(refused.<String>path("lock.owner")).isEqualTo("ada");
        assertThat(refused.<String>path("lock.name")).isEqualTo("SERVICE#" + id);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(60, 600);
        assertThat(refused.<String>path("detail"))
                .startsWith("Execution blocked: lock 'SERVICE#" + id + "' held by ada until ")
                .endsWith(". The status of service '%s' was not changed after %d tries."
                        .formatted(id, QuickServices.LOCK_TRIES));
    }

    /** A registration changes no status. */
    @Test
    default void aServiceIsRegisteredAndReadWhileItsLockIsHeld() {
        var id = LockCalls.unique("service");
        LockCalls.acquired("SERVICE#" + id, "ada");

        ServiceCalls.put(id, Map.of()).expect(201);

        ServiceCalls.put(id, Map.of("deploy_deadline", "1h")).expect(200);
        assertThat(status(id)).isEqualTo("IDLE");
    }

    @Test
    default void aWriteLeavesTheLockFree() {
        var id = service(List.of("DEPLOYING", "RUNNING"));

        LockCalls.acquired("SERVICE#" + id, "ada");
    }
}
