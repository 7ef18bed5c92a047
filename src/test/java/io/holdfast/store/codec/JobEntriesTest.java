package io.holdfast.store.codec;

import static io.holdfast.job.port.JobFixtures.RULES;
import static io.holdfast.job.port.JobFixtures.WORKER;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.job.port.JobFixtures.aJob;
import static io.holdfast.job.port.JobFixtures.creating;
import static io.holdfast.job.port.JobFixtures.keyed;
import static io.holdfast.job.port.JobFixtures.living;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.job.port.Changes;
import io.holdfast.job.port.Changes.ClusterChange;
import io.holdfast.job.port.Changes.JobChange;
import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.Snapshot;
import io.holdfast.job.port.SubmitOutcome;
import io.holdfast.lock.model.LockId;
import io.holdfast.store.codec.JobEntries.Entry;
import io.holdfast.store.codec.JobEntries.Key;
import io.holdfast.store.codec.JobEntries.Kind;
import io.holdfast.store.codec.JobEntries.StatusValue;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobEntriesTest {
    private static final Instant UNTIL = NOON.plus(Duration.ofDays(14));

    @Test
    void aNewClusterHasANameAndAPlaceInTheDirectory() {
        var cluster = aCluster();

        assertThat(JobEntries.of(cluster, UNTIL))
                .containsExactlyInAnyOrder(
                        entry(directory(cluster), cluster.id().value()),
                        entry(JobEntries.name(cluster.name()), cluster.id().value()));
    }

    @ParameterizedTest
    @EnumSource
    void aClusterHasItsNameWhileItIsActive(ClusterStatus status) {
        var kinds = kinds(aCluster().withStatus(status));

        assertThat(kinds.contains(Kind.NAME)).isEqualTo(status.takesName());
        assertThat(kinds).contains(Kind.DIRECTORY);
    }

    @ParameterizedTest
    @EnumSource
    void onlyADestroyedClusterMayBeDeleted(ClusterStatus status) {
        var entry = only(Kind.DIRECTORY, JobEntries.of(aCluster().withStatus(status), UNTIL));

        assertThat(entry.until()).isEqualTo(Optional.of(UNTIL).filter(end -> status == ClusterStatus.DESTROYED));
    }

    @ParameterizedTest
    @EnumSource
    void aClusterExpiresUnlessItIsDestroyed(ClusterStatus status) {
        var cluster = living(Duration.ofHours(1)).withStatus(status);

        assertThat(kinds(cluster).contains(Kind.EXPIRY)).isEqualTo(status != ClusterStatus.DESTROYED);
        assertThat(kinds(cluster.withExpiryHandled(true))).doesNotContain(Kind.EXPIRY);
    }

    @Test
    void theEndOfATtlIsASortKey() {
        var cluster = living(Duration.ofHours(1));

        var key = only(Kind.EXPIRY, JobEntries.of(cluster, UNTIL)).key();

        assertThat(key.partition()).isEqualTo(JobEntries.expiry(JobStore.shardOf(cluster.id())));
        assertThat(key.sort())
                .isLessThan(JobEntries.endOfDue(NOON.plusSeconds(3600)))
                .isGreaterThanOrEqualTo(
                        JobEntries.endOfDue(NOON.plusSeconds(3600).minusMillis(1)));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "WAITING"})
    void theFirstJobOfAQueueIsDue(JobStatus status) {
        var job = in(status, aJob(JobType.SCALE_WORKERS, NOON));
        var cluster = aCluster().enqueued(job).enqueued(aJob(JobType.DESTROY, NOON));

        var entry = only(Kind.DUE, JobEntries.of(cluster, UNTIL));

        var section = new JobStore.Section(JobType.SCALE_WORKERS, JobStore.shardOf(cluster.id()));
        assertThat(entry.key().partition()).isEqualTo(JobEntries.due(section));
        assertThat(entry.key().sort())
                .isLessThan(JobEntries.endOfDue(job.dueAt()))
                .isGreaterThanOrEqualTo(JobEntries.endOfDue(job.dueAt().minusMillis(1)));
        assertThat(JobJson.readDueWork(entry.value()))
                .isEqualTo(new DueWork(cluster.id(), job.id(), job.type(), job.dueAt(), cluster.labels()));
    }

    @Test
    void noJobOfAQueueIsDueWhileOneRuns() {
        var cluster = aCluster()
                .enqueued(in(JobStatus.RUNNING, aJob(JobType.SCALE_WORKERS, NOON)))
                .enqueued(aJob(JobType.DESTROY, NOON));

        assertThat(kinds(cluster)).doesNotContain(Kind.DUE);
    }

    @ParameterizedTest
    @EnumSource
    void aJobIsListedUnderItsStatusSinceItHasIt(JobStatus status) {
        var job = in(status, aJob(JobType.CREATE, NOON));

        var entry = only(Kind.STATUS, JobEntries.of(job, UNTIL));

        assertThat(entry.key())
                .isEqualTo(new Key(
                        JobEntries.status(status, JobStore.shardOf(job.id())),
                        job.id().value()));
        assertThat(StatusValue.parse(entry.value())).isEqualTo(new StatusValue(JobType.CREATE, since(status)));
        assertThat(entry.until()).isEqualTo(Optional.of(UNTIL).filter(end -> status.isEnded()));
    }

    @Test
    void aKeyIsExclusiveAndIsKeptForATime() {
        var job = submitted(aCluster(), "k 1");

        var entry = only(Kind.KEY, JobEntries.of(job, UNTIL));

        assertThat(entry)
                .isEqualTo(
                        new Entry(JobEntries.key(job.cluster(), "k 1"), job.id().value(), Optional.of(UNTIL)));
        assertThat(entry.isExclusive()).isTrue();
    }

    @Test
    void onlyNamesAndKeysAreExclusive() {
        assertThat(Stream.of(Kind.values()).filter(Kind::isExclusive)).containsExactly(Kind.NAME, Kind.KEY);
    }

    @Test
    void namesInTheDirectoryHaveTheirOrder() {
        assertThat(Stream.of("a", "a-1", "a.b", "ab")
                        .map(name -> directory(aCluster()).sort().replaceFirst("^\\S+", name)))
                .isSorted()
                .allMatch(sort -> sort.compareTo("a") > 0 && sort.compareTo(JobEntries.endOfPrefix("a")) < 0);
    }

    @Test
    void aNewRecordPutsAllItsEntries() {
        var cluster = living(Duration.ofHours(1));

        var difference = JobEntries.of(creating(cluster), UNTIL);

        assertThat(difference.put()).isEqualTo(JobEntries.of(cluster, UNTIL));
        assertThat(difference.deleted()).isEmpty();
    }

    @Test
    void aClaimMovesTheJobAndRemovesTheDueWork() {
        var empty = aCluster();
        var submit = RULES.submissions().submit(empty, keyed(JobType.CREATE, "key"), Optional.empty(), NOON);
        var job = ((SubmitOutcome.Submitted) submit.outcome()).job();
        var cluster = submit.changes().orElseThrow().cluster().orElseThrow().after();
        var claim = RULES.claims()
                .claim(
                        new Snapshot(cluster, Map.of(job.id(), job), Optional.empty()),
                        job.id(),
                        WORKER,
                        NOON.plusSeconds(1));

        var difference = JobEntries.of(claim.changes().orElseThrow(), UNTIL.plusSeconds(1));

        assertThat(difference.put())
                .extracting(Entry::key)
                .containsExactly(new Key(
                        JobEntries.status(JobStatus.RUNNING, JobStore.shardOf(job.id())),
                        job.id().value()));
        assertThat(difference.deleted())
                .extracting(key -> key.partition().kind())
                .containsExactlyInAnyOrder(Kind.DUE, Kind.STATUS);
    }

    /** The time of a key counts from the submission, so a later change does not write it again. */
    @Test
    void anUnchangedEntryIsNotWritten() {
        var job = submitted(aCluster(), "key");
        var change = new JobChange(Optional.of(job), job.touched());

        var difference = JobEntries.of(
                new Changes(Optional.empty(), List.of(change), Optional.empty(), Optional.empty()),
                UNTIL.plusSeconds(1));

        assertThat(difference.put()).isEmpty();
        assertThat(difference.deleted()).isEmpty();
    }

    @Test
    void aDestroyedClusterGivesItsNameAway() {
        var before = living(Duration.ofHours(1)).withStatus(ClusterStatus.DESTROYING);
        var after = before.withStatus(ClusterStatus.DESTROYED).writtenAt(NOON);
        var change = new ClusterChange(Optional.of(before), after);

        var difference =
                JobEntries.of(new Changes(Optional.of(change), List.of(), Optional.empty(), Optional.empty()), UNTIL);

        assertThat(difference.deleted())
                .extracting(key -> key.partition().kind())
                .containsExactlyInAnyOrder(Kind.NAME, Kind.EXPIRY);
        assertThat(difference.put())
                .containsExactly(new Entry(directory(before), before.id().value(), Optional.of(UNTIL)));
    }

    private static Job submitted(Cluster cluster, String key) {
        var submit = RULES.submissions().submit(cluster, keyed(JobType.CREATE, key), Optional.empty(), NOON);
        return ((SubmitOutcome.Submitted) submit.outcome()).job();
    }

    /** The job in this status, with different times for each. */
    private static Job in(JobStatus status, Job job) {
        var run = new Run(
                1,
                1,
                WORKER,
                LockId.random(),
                since(JobStatus.RUNNING),
                NOON.plusSeconds(90),
                NOON.plusSeconds(91),
                NOON.plusSeconds(92),
                Optional.empty(),
                Optional.empty());
        var ended = run.ended(new Run.End(
                since(JobStatus.WAITING), Run.Result.FAILED, Optional.empty(), Optional.of(NOON.plusSeconds(95))));
        return switch (status) {
            case QUEUED -> job;
            case RUNNING -> job.started(run);
            case WAITING -> job.started(run).waiting(ended, NOON.plusSeconds(95));
            case SUCCEEDED, FAILED, CANCELLED, DEAD ->
                job.started(run)
                        .ended(
                                status,
                                Optional.of(ended),
                                new Job.End(since(status), Optional.empty(), Optional.empty()));
        };
    }

    private static Instant since(JobStatus status) {
        return NOON.plusSeconds(status.ordinal());
    }

    private static Key directory(Cluster cluster) {
        return new Key(JobEntries.directory(), cluster.name().name() + " " + cluster.id());
    }

    private static Entry entry(Key key, String value) {
        return new Entry(key, value, Optional.empty());
    }

    private static EnumSet<Kind> kinds(Cluster cluster) {
        var kinds = EnumSet.noneOf(Kind.class);
        JobEntries.of(cluster, UNTIL).forEach(entry -> kinds.add(entry.kind()));
        return kinds;
    }

    private static Entry only(Kind kind, List<Entry> entries) {
        var found = entries.stream().filter(entry -> entry.kind() == kind).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
