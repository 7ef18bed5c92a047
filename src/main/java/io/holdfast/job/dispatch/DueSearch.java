package io.holdfast.job.dispatch;

import io.holdfast.job.port.DueWork;
import io.holdfast.job.port.JobStore;
import io.holdfast.job.port.JobStore.Section;
import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads due work, one page of each section at a time. If no worker accepts the work of a page, because of its labels,
 * the next search continues after it. So work behind it is found too, and each search has the same cost.
 */
final class DueSearch {
    /** More than the workers that ask, since other replicas claim at the same time. */
    private static final int SPARE = 8;

    /** For pages that follow one without acceptable work. */
    private static final int LIMIT_MAX = 1000;

    private final JobStore store;
    private final Map<Section, Cursor> positions = new ConcurrentHashMap<>();

    DueSearch(JobStore store) {
        this.store = store;
    }

    private record Found(Section section, Page<DueWork> page) {}

    /** Work of these sections, the oldest first. */
    Uni<List<DueWork>> find(Set<Section> sections, Collection<WaitingWorker> workers, Instant now) {
        if (workers.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        var limit = positions.isEmpty() ? Math.min(LIMIT_MAX, workers.size() + SPARE) : LIMIT_MAX;
        return Multi.createFrom()
                .iterable(sections)
                .onItem()
                .transformToUniAndMerge(
                        section -> store.due(section, limit, Optional.ofNullable(positions.get(section)), now)
                                .map(page -> new Found(section, page)))
                .collect()
                .asList()
                .map(found -> merged(found, workers));
    }

    /** Whether a section has work that no search has read yet. */
    boolean hasMore() {
        return !positions.isEmpty();
    }

    Set<Section> unfinished() {
        return Set.copyOf(positions.keySet());
    }

    private List<DueWork> merged(List<Found> found, Collection<WaitingWorker> workers) {
        var all = new ArrayList<DueWork>();
        for (var one : found) {
            var accepted = one.page().items().stream().anyMatch(work -> workers.stream()
                    .anyMatch(worker -> worker.request().accepts(work)));
            if (accepted || one.page().next().isEmpty()) {
                positions.remove(one.section());
            } else {
                positions.put(one.section(), one.page().next().get());
            }
            all.addAll(one.page().items());
        }
        all.sort(Comparator.comparing(DueWork::dueAt).thenComparing(DueWork::job));
        return all;
    }
}
