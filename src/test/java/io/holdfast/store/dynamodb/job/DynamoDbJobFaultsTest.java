package io.holdfast.store.dynamodb.job;

import static io.holdfast.job.model.JobType.CREATE;
import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.KEPT;
import static io.holdfast.job.port.JobFixtures.LEASE;
import static io.holdfast.job.port.JobFixtures.OTHER_WORKER;
import static io.holdfast.job.port.JobFixtures.RESCUE_AFTER;
import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.named;
import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.SKEW;
import static io.holdfast.lock.port.Fixtures.TTL;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static io.holdfast.store.dynamodb.job.JobRig.TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobId;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.port.ClusterQuery;
import io.holdfast.job.port.JobQuery;
import io.holdfast.job.port.JobStore;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.store.dynamodb.FaultProxy.Fault;
import io.holdfast.suite.Slow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits with lost answers, conflicts, outages and wrong clocks, and items that do not match. */
@Slow
class DynamoDbJobFaultsTest {
    private static final Duration WRONG_BY = Duration.ofSeconds(10);
    private static final Optional<Cursor> NO_CURSOR = Optional.empty();

    private final JobRig rig = new JobRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aClaimWhoseAnswerWasLostIsWrittenOnceAndAnsweredAsWritten(Fault fault) {
        var job = submitted();
        rig.proxy.resetCounts();
        rig.proxy.next(TRANSACTION, fault);

        var claimed = rig.driver.claim(job, WORKER, NOON);

        assertThat(rig.proxy.count(TRANSACTION)).isEqualTo(2);
        assertThat(rig.driver.job(job.id())).isEqualTo(claimed);
        assertThat(lock(job).lease().token().value())
                .isEqualTo(claimed.currentRun().orElseThrow().epoch());
        assertThat(lock(job).lease().term().renewals()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOSE_ANSWER", "ERROR_500_AFTER_COMMIT"})
    void aFinishWhoseAnswerWasLostIsWrittenOnceAndAnsweredAsWritten(Fault fault) {
        var job = rig.running(WORKER, NOON.plusSeconds(10));
        rig.proxy.next(TRANSACTION, fault);

        var done = rig.driver.finish(job, DONE, NOON.plusSeconds(20));

        assertThat(rig.driver.job(job.id())).isEqualTo(done);
        assertThat(rig.driver.cluster(job.cluster()).endedJobs()).startsWith(job.id());
    }

    @Test
    void aConflictWithAnotherTransactionIsNotWrittenAndCanBeDecidedAgain() {
        var job = submitted();
        var claim = rig.driver.decideClaim(job, WORKER, NOON);
        rig.proxy.resetCounts();
        rig.proxy.next(TRANSACTION, Fault.CANCEL_BY_CONFLICT);

        assertThat(rig.driver.commit(claim, NOON)).isFalse();

        assertThat(rig.proxy.count(TRANSACTION)).isEqualTo(1);
        assertThat(rig.driver.job(job.id())).isEqualTo(job);
        rig.driver.claim(job, WORKER, NOON);
    }

    @ParameterizedTest
    @EnumSource(names = {"ERROR_500_BEFORE", "THROTTLE", "REFUSE", "CANCEL_BY_THROTTLING"})
    void aCommitSurvivesAPassingFault(Fault fault) {
        var job = submitted();
        rig.proxy.next(TRANSACTION, fault);
        rig.proxy.next(TRANSACTION, fault);

        assertThat(rig.driver.claim(job, WORKER, NOON)).isEqualTo(rig.driver.job(job.id()));
    }

    @Test
    void anOutageEndsAsUnavailableAndWritesNothing() {
        var job = submitted();
        var claim = rig.driver.decideClaim(job, WORKER, NOON);
        rig.proxy.always(Fault.ERROR_500_BEFORE);

        assertThatThrownBy(() -> rig.driver.commit(claim, NOON)).isInstanceOf(StoreUnavailableException.class);

        rig.proxy.heal();
        assertThat(rig.driver.job(job.id())).isEqualTo(job);
        assertThat(await(rig.jobs.findClaims(List.of(WORKER)))).isEmpty();
    }

    /** The first attempt did not arrive, and another worker was faster than the second one. */
    @Test
    void aRetryAfterAnotherWorkersClaimIsRefused() {
        var job = submitted();
        var claim = rig.driver.decideClaim(job, WORKER, NOON);
        rig.proxy.next(TRANSACTION, Fault.ERROR_500_BEFORE);
        rig.proxy.beforeNext(TRANSACTION, () -> rig.driver.claim(job, OTHER_WORKER, NOON));

        assertThat(rig.driver.commit(claim, NOON)).isFalse();

        assertThat(rig.driver.job(job.id()).currentRun().orElseThrow().worker()).isEqualTo(OTHER_WORKER);
    }

    // Times and tokens.

    /** Tokens count microseconds, while stored times have milliseconds. */
    @Test
    void theFirstTokenOfALockIsTheEpochThatTheRulesDecided() {
        var job = submitted();
        var now = NOON.plusNanos(123_456_789);

        var claimed = rig.driver.claim(job, WORKER, now);

        assertThat(lock(job).token().value())
                .isEqualTo(claimed.currentRun().orElseThrow().epoch())
                .isEqualTo(Instant.EPOCH.until(now, ChronoUnit.MICROS) + 1);
    }

    @Test
    void theEpochAfterAClientsLeaseIsTheNextToken() {
        var job = submitted();
        var client = wants(ADA, job.cluster().lock());
        await(rig.store.locks().acquire(client, NOON));
        await(rig.store.locks().release(client.ref(), NOON.plusSeconds(1)));
        var before = lock(job).token();

        var claimed = rig.driver.claim(job, WORKER, NOON.plusSeconds(2));

        assertThat(claimed.currentRun().orElseThrow().epoch())
                .isEqualTo(before.next().value());
        assertThat(lock(job).token()).isEqualTo(before.next());
    }

    @Test
    void anExpiredLeaseOfAClientIsTakenOver() {
        var job = submitted();
        await(rig.store.locks().acquire(wants(ADA, job.cluster().lock()), NOON));
        var late = NOON.plus(TTL).plus(SKEW).plusSeconds(1);

        rig.driver.claim(job, WORKER, late);

        assertThat(lock(job).lease().owner()).isEqualTo(WORKER.owner());
    }

    @Test
    void aRescueReleasesTheExpiredLock() {
        var job = rig.running(WORKER, NOON);
        var late = NOON.plus(LEASE).plus(RESCUE_AFTER).plus(SKEW).plusSeconds(1);

        rig.driver.made(RULES.rescues().rescue(rig.driver.snapshot(job), job, late), late);

        assertThat(rig.driver.job(job.id()).status()).isEqualTo(JobStatus.WAITING);
        assertThat(lock(job).end()).isPresent();
    }

    /** A client that knows the lock's id has renewed it with a later time. */
    @Test
    void aHeartbeatThatALaterRenewalOvertookKeepsTheLaterEnd() {
        var job = rig.running(WORKER, NOON);
        var later = NOON.plusSeconds(30);
        await(rig.store.locks().renew(lock(job).lease().ref(), Optional.of(LEASE), later));

        var beating = rig.driver.heartbeat(job, NOON.plusSeconds(20));

        assertThat(lock(job).lease().expiresAt()).isEqualTo(later.plus(LEASE));
        assertThat(lock(job).lease().term().renewals()).isEqualTo(2);
        assertThat(beating.currentRun().orElseThrow().leaseUntil()).isEqualTo(later.plus(LEASE));
    }

    // Clocks.

    @Test
    void aClockThatIsBehindGrantsAndProlongsNothingButEndsRuns() {
        var job = submitted();
        var running = rig.running(WORKER, NOON);
        assertThat(rig.jobs.trustsClock()).isTrue();
        rig.proxy.shiftDate(WRONG_BY);
        var claim = rig.driver.decideClaim(job, OTHER_WORKER, NOON);

        assertThat(rig.jobs.trustsClock()).isFalse();
        assertThatThrownBy(() -> rig.driver.commit(claim, NOON))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("behind");
        assertThatThrownBy(() -> rig.driver.heartbeat(running, NOON.plusSeconds(10)))
                .isInstanceOf(StoreUnavailableException.class);
        rig.driver.finish(running, DONE, NOON.plusSeconds(20));
    }

    /** The rules may have decided before the clock was found to be off. */
    @Test
    void aClockThatIsAheadTakesNoLockOver() {
        var job = submitted();
        await(rig.store.locks().acquire(wants(ADA, job.cluster().lock()), NOON));
        var late = NOON.plus(TTL).plus(SKEW).plusSeconds(1);
        rig.proxy.shiftDate(WRONG_BY.negated());
        var claim = rig.driver.decideClaim(job, WORKER, late);

        assertThat(rig.jobs.trustsClock()).isFalse();
        assertThat(rig.driver.commit(claim, late)).isFalse();
        assertThat(lock(job).lease().owner()).isEqualTo(ADA);
    }

    // Items that were changed by hand.

    @Test
    void aRunEndsAlthoughItsWorkerIsNotedForAnotherJob() {
        var job = rig.running(WORKER, NOON);
        var other = JobId.newAt(NOON);
        rig.put(JobItem.of(WORKER, other));

        rig.driver.finish(job, DONE, NOON.plusSeconds(10));

        assertThat(rig.driver.job(job.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(lock(job).end()).isPresent();
        assertThat(await(rig.jobs.findClaims(List.of(WORKER)))).isEqualTo(Map.of(WORKER, other));
    }

    @Test
    void aRunEndsAlthoughItsWorkerHasNoNote() {
        var job = rig.running(WORKER, NOON);
        rig.delete(JobItem.key(WORKER));

        rig.driver.finish(job, DONE, NOON.plusSeconds(10));

        assertThat(rig.driver.job(job.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    /** As if DynamoDB had deleted the records by their TTL, and the entries not yet. */
    @Test
    void entriesWithoutRecordsAreLeftOutOfLists() {
        var job = submitted();
        var gone = submitted();
        rig.delete(JobItem.key(gone.id()));
        rig.delete(JobItem.key(gone.cluster()));

        assertThat(await(rig.jobs.jobs(
                                new JobQuery(Optional.empty(), Optional.empty(), Optional.empty(), 10, NO_CURSOR)))
                        .items())
                .containsExactly(job);
        assertThat(await(rig.jobs.clusters(new ClusterQuery(Optional.empty(), "", 10, NO_CURSOR)))
                        .items())
                .extracting(Cluster::id)
                .containsExactly(job.cluster());
    }

    // Cursors that do not belong to the listing.

    @Test
    void aCursorOutsideOfThePrefixIsNoError() {
        var cluster = rig.driver.create(named(new ClusterName("b", "aws", "example.com")), NOON);

        assertThat(await(rig.jobs.clusters(prefixB("a 1"))).items()).containsExactly(cluster);
        assertThat(await(rig.jobs.clusters(prefixB("c 1"))).items()).isEmpty();
    }

    @Test
    void aCursorOfALaterTimeFindsNoDueWork() {
        var job = submitted();
        var section = new JobStore.Section(CREATE, JobStore.shardOf(job.cluster()));
        var cursor = await(rig.jobs.due(section, 1, NO_CURSOR, NOON)).next();
        assertThat(cursor).isPresent();

        assertThat(await(rig.jobs.due(section, 1, cursor, NOON.minusSeconds(1))).items())
                .isEmpty();
    }

    @Test
    void aCursorThatIsNoJobIsAPosition() {
        var job = submitted();

        assertThat(await(rig.jobs.jobs(new JobQuery(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                10,
                                Optional.of(new Cursor("no job")))))
                        .items())
                .containsExactly(job);
    }

    private static ClusterQuery prefixB(String position) {
        return new ClusterQuery(Optional.empty(), "b", 10, Optional.of(new Cursor(position)));
    }

    // What DynamoDB may delete.

    @Test
    void onlyWhatHasEndedHasATtl() {
        var cluster = rig.driver.create(aCluster(), NOON);
        var job = rig.driver.submit(cluster.id(), keyed(CREATE, "key"), NOON);
        assertThat(rig.item(JobItem.key(job.id()))).doesNotContainKey("ttl");
        assertThat(rig.item(JobItem.key(cluster.id()))).doesNotContainKey("ttl");
        var end = NOON.plusSeconds(10);

        rig.driver.cancel(job, end);

        assertThat(rig.item(JobItem.key(job.id())).get("ttl").n())
                .isEqualTo(Long.toString(end.plus(KEPT).getEpochSecond() + 1));
        assertThat(rig.item(JobItem.key(cluster.id()))).doesNotContainKey("ttl");
    }

    private Job submitted() {
        return rig.driver.submit(rig.driver.create(aCluster(), NOON).id(), CREATE, NOON);
    }

    private LockRecord lock(Job job) {
        return await(rig.store.locks().find(job.cluster().lock())).orElseThrow();
    }
}
