package io.holdfast.lifecycle.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lifecycle.port.StatusWrite;
import io.holdfast.lifecycle.port.WriteOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges the history of one service by what its writers were told. Each request has a label, which its row of the history
 * contains: the reason, or what a repair has seen. A registration and a removal have none. Not thread-safe.
 */
final class LifecycleOracle {
    /** The service after a write, by the version that a writer was told. */
    private record Told(String label, Optional<ServiceStatus> to) {}

    private final Map<Long, Told> told = new TreeMap<>();
    private final Set<String> written = new HashSet<>();
    private final Set<String> unknown = new HashSet<>();
    private final Set<String> asked = new HashSet<>();
    private final Map<String, Long> versionsSeen = new HashMap<>();
    private final Map<DeploymentId, StatusWrite.Report> repeatedReports = new HashMap<>();
    private int registrationsTold;
    private int registrationsUnknown;
    private int removalsTold;
    private int removalsUnknown;
    private long newestTold;

    /** The newest version that any writer was told. A request that begins now is later than that. */
    long newestTold() {
        return newestTold;
    }

    void asked(String label, Optional<Long> ifVersion) {
        asked.add(label);
        ifVersion.ifPresent(version -> versionsSeen.put(label, version));
    }

    void isUnknown(String label) {
        unknown.add(label);
    }

    /** @param newestBefore what {@link #newestTold()} was when the request began */
    void answered(String label, StatusWrite write, WriteOutcome outcome, long newestBefore) {
        switch (outcome) {
            case WriteOutcome.Written now -> {
                assertThat(now.service().version())
                        .as("%s began after version %d was acknowledged", label, newestBefore)
                        .isGreaterThan(newestBefore);
                written.add(label);
                tell(
                        now.service().version(),
                        new Told(label, Optional.of(now.service().status())));
            }
            case WriteOutcome.WrittenBefore before -> writtenBefore(label, write, before.service());
            default -> {}
        }
    }

    private void writtenBefore(String label, StatusWrite write, Service service) {
        var latest = service.deployment().orElseThrow();
        switch (write) {
            case StatusWrite.Deploy deploy -> {
                assertThat(latest.id()).isEqualTo(deploy.id());
                written.add(label);
                if (!told.containsKey(latest.epoch())) {
                    tell(latest.epoch(), new Told(label, Optional.of(ServiceStatus.DEPLOYING)));
                }
            }
            // Written by an earlier try, or by another report of the same result.
            case StatusWrite.Report report -> repeatedReports.put(report.deployment(), report);
            default -> throw new AssertionError("Not repeatable: " + write);
        }
    }

    private void tell(long version, Told now) {
        assertThat(told).as("version %d is told once", version).doesNotContainKey(version);
        told.put(version, now);
        newestTold = Math.max(newestTold, version);
    }

    void registered(Service service, long newestBefore) {
        assertThat(service.version()).as("versions rise over a removal").isGreaterThan(newestBefore);
        registrationsTold++;
        tell(service.version(), new Told("", Optional.of(ServiceStatus.IDLE)));
    }

    void registrationIsUnknown() {
        registrationsUnknown++;
    }

    void removed(Service before, long newestBefore) {
        removalsTold++;
        assertThat(before.version() + 1).isGreaterThan(newestBefore);
        tell(before.version() + 1, new Told("", Optional.empty()));
    }

    void removalIsUnknown() {
        removalsUnknown++;
    }

    /** @param rows the oldest first */
    void judge(List<Move> rows, Optional<Service> stored) {
        assertThat(rows).isNotEmpty();
        eachRowFollowsTheOneBefore(rows);
        eachRowWasAskedForAndNoneTwice(rows);
        eachAnswerIsARow(rows);
        eachDeploymentBeginsAndEndsOnce(rows);
        var last = rows.getLast();
        assertThat(stored.map(Service::status)).isEqualTo(last.to());
        stored.ifPresent(service -> assertThat(service.version()).isEqualTo(last.version()));
    }

    private static void eachRowFollowsTheOneBefore(List<Move> rows) {
        Move before = null;
        for (var row : rows) {
            var isRegistration = row.from().isEmpty();
            if (before == null) {
                assertThat(isRegistration).isTrue();
            } else {
                assertThat(row.from()).as("%s after %s", row, before).isEqualTo(before.to());
                if (isRegistration) {
                    assertThat(row.version()).isGreaterThan(before.version());
                } else {
                    assertThat(row.version()).as("no gap").isEqualTo(before.version() + 1);
                }
            }
            if (!isRegistration && row.to().isPresent() && row.cause().by() != Writer.RECONCILER) {
                assertThat(row.from().orElseThrow().canMoveTo(row.to().get()))
                        .as("%s", row)
                        .isTrue();
            }
            before = row;
        }
    }

    private void eachRowWasAskedForAndNoneTwice(List<Move> rows) {
        var seen = new HashSet<String>();
        var registrations = 0;
        var removals = 0;
        for (var row : rows) {
            if (row.from().isEmpty()) {
                registrations++;
                // A service that is registered again knows nothing of earlier requests.
                seen.clear();
            } else if (row.to().isEmpty()) {
                removals++;
            } else {
                var label = label(row);
                assertThat(asked).contains(label);
                assertThat(seen.add(label)).as("one row of %s", label).isTrue();
                assertThat(written.contains(label) || unknown.contains(label))
                        .as("%s was refused, and is written", label)
                        .isTrue();
                if (versionsSeen.containsKey(label)) {
                    assertThat(row.version()).as("%s overwrites", label).isEqualTo(versionsSeen.get(label) + 1);
                }
            }
        }
        assertThat(registrations).isBetween(registrationsTold, registrationsTold + registrationsUnknown);
        assertThat(removals).isBetween(removalsTold, removalsTold + removalsUnknown);
    }

    private void eachAnswerIsARow(List<Move> rows) {
        var byVersion = new HashMap<Long, Move>();
        rows.forEach(row -> byVersion.put(row.version(), row));
        told.forEach((version, now) -> {
            var row = byVersion.get(version);
            assertThat(row).as("acknowledged: version %d, %s", version, now).isNotNull();
            assertThat(row.to()).isEqualTo(now.to());
            assertThat(label(row)).isEqualTo(now.label());
        });
        repeatedReports.forEach((deployment, report) -> assertThat(rows)
                .as("acknowledged as written before: %s", report)
                .anyMatch(row -> row.cause().by() == Writer.WORKER
                        && row.cause().deployment().equals(Optional.of(deployment))
                        && row.to().equals(Optional.of(report.status()))
                        && row.cause().rolledBack() == report.rolledBack()));
    }

    private static void eachDeploymentBeginsAndEndsOnce(List<Move> rows) {
        var begun = new HashSet<DeploymentId>();
        for (var i = 1; i < rows.size(); i++) {
            var row = rows.get(i);
            if (row.from().isEmpty()) {
                begun.clear();
            }
            if (row.to().equals(Optional.of(ServiceStatus.DEPLOYING))) {
                assertThat(begun.add(row.cause().deployment().orElseThrow()))
                        .as("begins once: %s", row)
                        .isTrue();
            }
            if (row.cause().by() == Writer.WORKER) {
                var began = rows.get(i - 1);
                assertThat(began.to()).as("%s", row).contains(ServiceStatus.DEPLOYING);
                assertThat(began.cause().deployment())
                        .as("a result ends its own deployment")
                        .isEqualTo(row.cause().deployment());
            }
        }
    }

    static String label(Move row) {
        return row.cause()
                .seen()
                .map(Observation::detail)
                .or(row.cause()::reason)
                .orElse("");
    }
}
