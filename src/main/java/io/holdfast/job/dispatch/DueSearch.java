package io.holdfast.job.dispatch;

import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Reads due work. Of each section it reads the oldest page, and one more if the first has nothing acceptable, because
 * of labels or locks. The next search continues after that second page, so in time the whole section is read, and each
 * search has the same cost.
 */
final class DueSearch {
    /** More than the workers that ask, since other replicas claim at the same time. */
    private static final int SPARE = 8;

    private static final int FURTHER_LIMIT = 1000;

    private final JobStore store;
    private final Map<Section, Cursor> positions = new ConcurrentHashMap<>();

    DueSearch(JobStore store) {
        this.store = store;
    }

    /**
     * @param work the oldest first
     * @param failure why a section could not be read
     */
    record Found(List<DueWork> work, Optional<Throwable> failure) {
        private static Found of(Page<DueWork> page) {
            return new Found(page.items(), Optional.empty());
        }
    }

    /**
     * @param workers how many ask
     * @param acceptable what at least one of them accepts
     */
    Uni<Found> find(Set<Section> sections, int workers, Predicate<DueWork> acceptable, Instant now) {
        if (workers == 0) {
            return Uni.createFrom().item(new Found(List.of(), Optional.empty()));
        }
        return Multi.createFrom()
                .iterable(sections)
                .onItem()
                .transformToUniAndMerge(section -> find(section, workers + SPARE, acceptable, now)
                        .onFailure()
                        .recoverWithItem(e -> new Found(List.of(), Optional.of(e))))
                .collect()
                .asList()
                .map(all -> merged(all, acceptable));
    }

    private Uni<Found> find(Section section, int limit, Predicate<DueWork> acceptable, Instant now) {
        return store.due(section, Math.min(limit, FURTHER_LIMIT), Optional.empty(), now)
                .chain(oldest -> {
                    var next = oldest.next();
                    if (next.isEmpty() || oldest.items().stream().anyMatch(acceptable)) {
                        positions.remove(section);
                        return Uni.createFrom().item(Found.of(oldest));
                    }
                    var from = Optional.ofNullable(positions.get(section)).or(() -> next);
                    return store.due(section, FURTHER_LIMIT, from, now)
                            .invoke(further -> further.next()
                                    .ifPresentOrElse(
                                            position -> positions.put(section, position),
                                            () -> positions.remove(section)))
                            .map(Found::of);
                });
    }

    private static Found merged(List<Found> all, Predicate<DueWork> acceptable) {
        var work = all.stream()
                .flatMap(found -> found.work().stream())
                .filter(acceptable)
                .sorted(Comparator.comparing(DueWork::dueAt).thenComparing(DueWork::job))
                .toList();
        return new Found(
                work, all.stream().flatMap(found -> found.failure().stream()).findFirst());
    }
}
