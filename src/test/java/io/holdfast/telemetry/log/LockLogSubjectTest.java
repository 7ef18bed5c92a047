package io.holdfast.telemetry.log;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.model.FencingToken;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.Labels;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockId;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Owner;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.SubjectFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines of locks name the subject beside the owner. */
class LockLogSubjectTest {
    private static final Logger ALL = Logger.getLogger("io.holdfast");
    private static final LockName NAME = new LockName("deploy");

    private final LockLog log = new LockLog();
    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            lines.add(
                    record.getParameters() == null
                            ? record.getMessage()
                            : record.getMessage().formatted(record.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        ALL.addHandler(handler);
    }

    @AfterEach
    void stop() {
        ALL.removeHandler(handler);
    }

    @Test
    void aRefusalNamesBothSubjects() {
        log.acquired(request(SubjectFacts.OF_B), new AcquireOutcome.HeldByAnother(held().lease()), Duration.ZERO);

        assertThat(lines)
                .singleElement()
                .asString()
                .contains(" owner=ci subject=token:b holder=ci holder_subject=token:a token=");
    }

    @Test
    void anOwnerWithoutASubjectIsLoggedWithoutOne() {
        log.acquired(
                request(SubjectFacts.OF_NONE),
                new AcquireOutcome.Granted(held(SubjectFacts.OF_NONE).lease(), Optional.empty()),
                Duration.ZERO);

        assertThat(lines)
                .singleElement()
                .asString()
                .contains(" owner=ci token=")
                .doesNotContain("subject");
    }

    @Test
    void aRefusedForceReleaseNamesBothSubjects() {
        var force = new ForceRelease(NAME, new FencingToken(7), "stuck", Duration.ZERO, Optional.of(SubjectFacts.B));

        log.forced(force, new ForceReleaseOutcome.BelongsToAnother(held()));

        assertThat(lines).singleElement().asString().contains(" subject=token:b ", " holder=ci holder_subject=token:a");
    }

    private static LockRecord held() {
        return held(SubjectFacts.OF_A);
    }

    private static LockRecord held(Owner owner) {
        return LockRecord.held(request(owner).leaseAt(NOON, new FencingToken(7)));
    }

    private static AcquireRequest request(Owner owner) {
        return AcquireRequest.once(new LeaseRef(NAME, LockId.random(), owner), TTL, Labels.NONE);
    }
}
