package io.holdfast.lock.port;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The rules as a store, on the caller's thread: every step happens when a test wants it to. A call can be kept from
 * arriving, its answer can be kept on the way, and either can be lost.
 */
public final class RulesStore implements LockStore {
    public enum Call {
        ACQUIRE,
        WITHDRAW,
        RENEW,
        RELEASE,
        FIND,
        KEEP_QUEUED,
        EVICT
    }

    private enum Fate {
        ARRIVES_LATE,
        ANSWERS_LATE,
        IS_LOST,
        ANSWER_IS_LOST,
        FAILS_AND_ARRIVES_LATE
    }

    private final LockRules rules;
    private final Map<LockName, LockRecord> records;
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private final Map<Call, Queue<Fate>> fates = new EnumMap<>(Call.class);
    private final Queue<Runnable> late = new ArrayDeque<>();
    private boolean away;

    public RulesStore(LockRules rules) {
        this(rules, new HashMap<>());
    }

    /** @param records shared with other stores that decide by other rules */
    public RulesStore(LockRules rules, Map<LockName, LockRecord> records) {
        this.rules = rules;
        this.records = records;
    }

    /** The next such call does not reach the store before {@link #goOn()}. */
    public void keepFromArriving(Call call) {
        fate(call, Fate.ARRIVES_LATE);
    }

    /** The next such call is carried out at once, and answered with {@link #goOn()}. */
    public void keepAnswer(Call call) {
        fate(call, Fate.ANSWERS_LATE);
    }

    public void lose(Call call) {
        fate(call, Fate.IS_LOST);
    }

    public void loseAnswer(Call call) {
        fate(call, Fate.ANSWER_IS_LOST);
    }

    /** From now on all calls are lost, or none. */
    public void away(boolean isAway) {
        away = isAway;
    }

    /** The next such call fails, and is carried out with {@link #goOn()} all the same. */
    public void failAndArriveLate(Call call) {
        fate(call, Fate.FAILS_AND_ARRIVES_LATE);
    }

    /** What was kept longest goes on. */
    public void goOn() {
        late.remove().run();
    }

    public int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    public LockRecord record(LockName name) {
        return records.get(name);
    }

    public void put(LockRecord record) {
        records.put(record.name(), record);
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return call(Call.ACQUIRE, () -> decide(request.name(), rules.acquire(stored(request.name()), request, now)));
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return call(
                Call.WITHDRAW,
                () -> decide(request.name(), rules.withdraw(stored(request.name()), request, attempt, now)));
    }

    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return call(Call.KEEP_QUEUED, () -> decide(name, rules.confirmTickets(stored(name), presence)));
    }

    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return call(Call.EVICT, () -> decide(name, rules.evict(stored(name), gone)));
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return call(Call.RENEW, () -> decide(claim.name(), rules.renew(stored(claim.name()), claim, renewal, now)));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return call(Call.RELEASE, () -> decide(claim.name(), rules.release(stored(claim.name()), claim, now)));
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return Uni.createFrom().item(() -> decide(force.name(), rules.forceRelease(stored(force.name()), force, now)));
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return call(Call.FIND, () -> stored(name));
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return Uni.createFrom()
                .item(() -> new Page<>(
                        records.values().stream()
                                .filter(record -> query.filter().matches(record, now))
                                .toList(),
                        Optional.empty()));
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return Uni.createFrom().item(() -> {
            var before = records.size();
            records.values().removeIf(record -> rules.expendable(record, now));
            var seen = records.values().stream()
                    .map(record -> LockStatistics.of(record, bounds.staleAfter(), now))
                    .reduce(LockStatistics.NONE, LockStatistics::plus);
            return new SweepStep(before - records.size(), Optional.of(seen), Optional.empty());
        });
    }

    private Optional<LockRecord> stored(LockName name) {
        return Optional.ofNullable(records.get(name));
    }

    private <O> O decide(LockName name, LockRules.Decision<O> decision) {
        decision.write().ifPresent(record -> records.put(name, record));
        return decision.outcome();
    }

    private void fate(Call call, Fate fate) {
        fates.computeIfAbsent(call, any -> new ArrayDeque<>()).add(fate);
    }

    private <T> Uni<T> call(Call call, Supplier<T> step) {
        return Uni.createFrom().emitter(answer -> {
            counts.merge(call, 1, Integer::sum);
            if (away) {
                lost(answer);
                return;
            }
            var fate = fates.getOrDefault(call, new ArrayDeque<>()).poll();
            switch (fate) {
                case null -> answer.complete(step.get());
                case ARRIVES_LATE -> late.add(() -> answer.complete(step.get()));
                case ANSWERS_LATE -> {
                    var done = step.get();
                    late.add(() -> answer.complete(done));
                }
                case IS_LOST -> lost(answer);
                case FAILS_AND_ARRIVES_LATE -> {
                    late.add(step::get);
                    lost(answer);
                }
                case ANSWER_IS_LOST -> {
                    step.get();
                    lost(answer);
                }
            }
        });
    }

    private static void lost(UniEmitter<?> answer) {
        answer.fail(new StoreUnavailableException("Nobody knows."));
    }
}
