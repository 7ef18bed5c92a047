package io.holdfast.store.embedded;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lock.model.AttemptId;
import io.holdfast.lock.model.ForceRelease;
import io.holdfast.lock.model.LeaseClaim;
import io.holdfast.lock.model.LeaseRef;
import io.holdfast.lock.model.LockName;
import io.holdfast.lock.model.LockRecord;
import io.holdfast.lock.model.Presence;
import io.holdfast.lock.port.AcquireOutcome;
import io.holdfast.lock.port.AcquireRequest;
import io.holdfast.lock.port.ForceReleaseOutcome;
import io.holdfast.lock.port.LockQuery;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStatistics;
import io.holdfast.lock.port.LockStore;
import io.holdfast.lock.port.ReleaseOutcome;
import io.holdfast.lock.port.RenewOutcome;
import io.holdfast.lock.port.Renewal;
import io.holdfast.lock.port.WithdrawOutcome;
import io.holdfast.store.embedded.engine.EmbeddedDatabase;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;

/** Locks in the embedded database. The rules decide on the writer, so each decision is atomic and in order. */
public final class EmbeddedLockStore implements LockStore {
    private final EmbeddedDatabase database;
    private final EmbeddedTable<LockRecord> locks;
    private final TokenFloor tokenFloor;
    private final LockRules rules;

    EmbeddedLockStore(
            EmbeddedDatabase database, EmbeddedTable<LockRecord> locks, TokenFloor tokenFloor, LockRules rules) {
        this.database = database;
        this.locks = locks;
        this.tokenFloor = tokenFloor;
        this.rules = rules;
    }

    @Override
    public Uni<AcquireOutcome> acquire(AcquireRequest request, Instant now) {
        return Uni.createFrom().deferred(() -> {
            var asked = database.nanos();
            return decide(request.name(), current -> rules.withTokensAbove(tokenFloor.get())
                    .acquire(current, request, decidedAt(request, now, asked)));
        });
    }

    /** A request whose deadline passed in the queue of the writer is not granted the lock. */
    private Instant decidedAt(AcquireRequest request, Instant now, long askedNanos) {
        var later = now.plusNanos(database.nanos() - askedNanos).truncatedTo(ChronoUnit.MILLIS);
        return request.overdueAt(later) ? later : now;
    }

    @Override
    public Uni<WithdrawOutcome> withdraw(LeaseRef request, AttemptId attempt, Instant now) {
        return decide(request.name(), current -> rules.withdraw(current, request, attempt, now));
    }

    /** Tickets are in the memory of this process and need no confirmation. */
    @Override
    public Uni<Optional<LockRecord>> confirmTickets(LockName name, Presence presence) {
        return find(name);
    }

    /** There is only one replica. */
    @Override
    public Uni<Optional<LockRecord>> evict(LockName name, List<Presence> gone) {
        return find(name);
    }

    @Override
    public Uni<RenewOutcome> renew(LeaseClaim claim, Renewal renewal, Instant now) {
        return decide(claim.name(), current -> rules.renew(current, claim, renewal, now));
    }

    @Override
    public Uni<ReleaseOutcome> release(LeaseClaim claim, Instant now) {
        return decide(claim.name(), current -> rules.release(current, claim, now));
    }

    @Override
    public Uni<ForceReleaseOutcome> forceRelease(ForceRelease force, Instant now) {
        return decide(force.name(), current -> rules.forceRelease(current, force, now));
    }

    @Override
    public Uni<Optional<LockRecord>> find(LockName name) {
        return database.read(() -> Optional.ofNullable(locks.committed().get(name.value())));
    }

    @Override
    public Uni<Page<LockRecord>> list(LockQuery query, Instant now) {
        return database.read(() -> page(query, now));
    }

    @Override
    public Uni<SweepStep> sweep(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        return database.read(() -> examine(from, bounds, now)).chain(found -> {
            var names = found.expendable();
            return names.isEmpty()
                    ? Uni.createFrom().item(found.step(0))
                    : database.change(() -> found.step(purge(names, now)));
        });
    }

    /** The result of one step of a sweep. */
    private record Found(List<String> expendable, LockStatistics statistics, Optional<Cursor> next) {
        SweepStep step(int purged) {
            return new SweepStep(purged, Optional.of(statistics), next);
        }
    }

    private <O> Uni<O> decide(LockName name, Function<Optional<LockRecord>, LockRules.Decision<O>> rule) {
        return database.change(() -> {
            var decision = rule.apply(locks.get(name.value()));
            decision.write().ifPresent(record -> locks.put(name.value(), record));
            return decision.outcome();
        });
    }

    private Page<LockRecord> page(LockQuery query, Instant now) {
        var found = new ArrayList<LockRecord>();
        var prefix = query.filter().prefix().orElse("");
        var examined = 0;
        for (var entry : after(query.after(), prefix).entrySet()) {
            if (!entry.getKey().startsWith(prefix)) {
                break;
            }
            if (query.filter().matches(entry.getValue(), now)) {
                found.add(entry.getValue());
            }
            examined++;
            if (found.size() == query.bounds().limit()
                    || examined == query.bounds().examinedMax()) {
                return new Page<>(found, Optional.of(new Cursor(entry.getKey())));
            }
        }
        return new Page<>(found, Optional.empty());
    }

    private Found examine(Optional<Cursor> from, SweepBounds bounds, Instant now) {
        var expendable = new ArrayList<String>();
        var statistics = LockStatistics.NONE;
        var examined = 0;
        for (var entry : after(from, "").entrySet()) {
            if (rules.expendable(entry.getValue(), now)) {
                expendable.add(entry.getKey());
            } else {
                statistics = statistics.plus(LockStatistics.of(entry.getValue(), bounds.staleAfter(), now));
            }
            if (++examined == bounds.limit()) {
                return new Found(expendable, statistics, Optional.of(new Cursor(entry.getKey())));
            }
        }
        return new Found(expendable, statistics, Optional.empty());
    }

    /** Runs on the writer. Checks each record again, since it may have changed. */
    private int purge(List<String> names, Instant now) {
        var purged = 0;
        for (var name : names) {
            var expendable = locks.get(name).filter(record -> rules.expendable(record, now));
            if (expendable.isPresent()) {
                tokenFloor.raise(expendable.get().token());
                locks.delete(name);
                purged++;
            }
        }
        return purged;
    }

    private NavigableMap<String, LockRecord> after(Optional<Cursor> cursor, String prefix) {
        return cursor.map(Cursor::position)
                .filter(position -> position.compareTo(prefix) >= 0)
                .map(position -> locks.committed().tailMap(position, false))
                .orElseGet(() -> locks.committed().tailMap(prefix, true));
    }
}
