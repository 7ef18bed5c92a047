package io.holdfast.http.lock;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.present;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.Lease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.lock.port.SubjectFacts;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The JSON of a lock, and the sentences of refusals, name the subject of a lease. */
class LockSubjectTest {
    private static final LockName NAME = new LockName("deploy");
    private static final LockId ID = LockId.random();
    private static final Lease OF_A = lease(SubjectFacts.OF_A);

    @Test
    void aLockAndItsWaitersShowTheirSubjects() throws JsonProcessingException {
        var waiting = request(SubjectFacts.OF_B).arriving(NOON, NOON.plus(TTL), present(NOON.plus(TTL)));
        var queued = (AcquireOutcome.Queued) Fixtures.RULES
                .acquire(Optional.of(LockRecord.held(OF_A)), waiting, NOON)
                .outcome();

        var json = json(LockBodies.withWaiters(queued.record(), NOON));

        assertThat(json)
                .contains("\"owner\":\"ci\",\"subject\":\"token:a\"")
                .contains("\"owner\":\"ci\",\"subject\":\"token:b\"");
    }

    @Test
    void aLockWithoutASubjectShowsNone() throws JsonProcessingException {
        assertThat(json(LockBodies.held(lease(SubjectFacts.OF_NONE), NOON))).doesNotContain("subject");
    }

    @Test
    void aCallerWithOwnerAndLockIdOfAnotherSubjectIsToldSo() {
        var claim = LeaseClaim.of(new LeaseRef(NAME, ID, SubjectFacts.OF_B));

        assertThat(NotHeldDetail.of(claim, OF_A)).contains("ci as token:a", "ci as token:b");
    }

    @Test
    void aCallerWithAnotherLockIdIsToldWhoHoldsTheLock() {
        var claim = LeaseClaim.of(new LeaseRef(NAME, LockId.random(), SubjectFacts.OF_B));

        assertThat(NotHeldDetail.of(claim, OF_A)).contains("it is held by ci as token:a until");
    }

    private static String json(Object body) throws JsonProcessingException {
        return new ObjectMapper().writeValueAsString(body);
    }

    private static Lease lease(Owner owner) {
        return request(owner).leaseAt(NOON, new FencingToken(7));
    }

    private static AcquireRequest request(Owner owner) {
        return AcquireRequest.once(new LeaseRef(NAME, ID, owner), TTL, Labels.NONE);
    }
}
