package io.holdfast.lifecycle.port;

import static io.holdfast.lifecycle.model.ServiceStatus.FAILED;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.model.ServiceStatus.STOPPED;
import static io.holdfast.lifecycle.port.ServiceDriver.DEADLINE;
import static io.holdfast.lifecycle.port.ServiceDriver.RULES;
import static io.holdfast.lifecycle.port.ServiceDriver.anId;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lifecycle.port.ServiceDriver.report;
import static io.holdfast.lifecycle.port.ServiceDriver.set;
import static io.holdfast.lock.port.Fixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The race of API, worker and reconciler for one status, without a lock. Each of the three reads, decides and commits.
 * All orders of their six steps are tried.
 */
interface StatusRaceFacts extends ServiceListFacts {
    /** After the deadline of the deployment, so the reconciler may repair. */
    Instant LATE = NOON.plus(DEADLINE).plusSeconds(60);

    /** Tests of a slow store try one of so many orders, of all but the first race. */
    int orderStep();

    /** All three may write what they have decided on the first version. */
    @Test
    default void inEveryOrderAStopAReportAndARepairAreWrittenOnlyOnTheVersionThatTheyHaveRead() {
        race(set(STOPPED), 1);
    }

    /** The race of the seed: a deployment that another writer has overtaken does not land after it. */
    @Test
    default void inEveryOrderADeploymentAReportAndARepairAreWrittenOnlyOnTheVersionThatTheyHaveRead() {
        race(deploy(), orderStep());
    }

    /** A service that is removed meanwhile stays removed. */
    @Test
    default void inEveryOrderARemovalAReportAndARepairAreWrittenOnlyOnTheVersionThatTheyHaveRead() {
        race(new StatusWrite.Remove(), orderStep());
    }

    private void race(StatusWrite byApi, int step) {
        var orders = orders(List.of(), 2, 2, 2);
        assertThat(orders).hasSize(90).doesNotHaveDuplicates();
        for (var i = 0; i < orders.size(); i += step) {
            new Race(driver(), byApi).run(orders.get(i));
        }
    }

    /** Each writer twice: its first turn reads and decides, its second one commits. */
    private static List<List<Writer>> orders(List<Writer> begun, int api, int worker, int reconciler) {
        if (api + worker + reconciler == 0) {
            return List.of(begun);
        }
        var all = new ArrayList<List<Writer>>();
        if (api > 0) {
            all.addAll(orders(with(begun, Writer.API), api - 1, worker, reconciler));
        }
        if (worker > 0) {
            all.addAll(orders(with(begun, Writer.WORKER), api, worker - 1, reconciler));
        }
        if (reconciler > 0) {
            all.addAll(orders(with(begun, Writer.RECONCILER), api, worker, reconciler - 1));
        }
        return all;
    }

    private static List<Writer> with(List<Writer> begun, Writer next) {
        var longer = new ArrayList<>(begun);
        longer.add(next);
        return longer;
    }

    /** One race for a service whose deployment is past its deadline. */
    final class Race {
        private final ServiceDriver driver;
        private final Map<Writer, StatusWrite> writes = new EnumMap<>(Writer.class);
        private final Map<Writer, Optional<StatusChange>> decided = new EnumMap<>(Writer.class);
        private final List<Move> accepted = new ArrayList<>();
        private Optional<Service> current;

        Race(ServiceDriver driver, StatusWrite byApi) {
            this.driver = driver;
            var idle = driver.register(anId(), NOON);
            var deploying = driver.write(idle, deploy(), NOON.plusSeconds(1));
            current = Optional.of(deploying);
            writes.put(Writer.API, byApi);
            writes.put(Writer.WORKER, report(deploying, RUNNING));
            writes.put(Writer.RECONCILER, repair(FAILED));
        }

        void run(List<Writer> order) {
            var id = current.orElseThrow().id();
            var before = driver.history(id);
            for (var writer : order) {
                if (decided.containsKey(writer)) {
                    decided.get(writer).ifPresent(change -> commit(writer, change, order));
                } else {
                    decided.put(writer, driver.find(id).flatMap(seen -> RULES.decide(seen, writes.get(writer), LATE)
                            .change()));
                }
            }
            assertThat(driver.find(id)).as("%s", order).isEqualTo(current);
            var history = driver.history(id).reversed();
            assertThat(history.subList(0, 2)).isEqualTo(before.reversed());
            assertThat(history.subList(2, history.size())).as("%s", order).isEqualTo(accepted);
            assertThat(history).extracting(Move::version).isEqualTo(consecutive(history));
            assertThat(accepted).as("%s", order).isNotEmpty();
            assertThat(driver.feed(LifecycleStore.shardOf(id)).stream()
                            .map(FeedEntry::move)
                            .filter(move -> move.service().equals(id)))
                    .isEqualTo(history);
        }

        /** Accepted if and only if the version is still the one that the writer has read. */
        private void commit(Writer writer, StatusChange change, List<Writer> order) {
            var isNewest = change.before().map(Service::version).equals(current.map(Service::version));

            assertThat(driver.commit(change)).as("%s of %s", writer, order).isEqualTo(isNewest);

            if (isNewest) {
                accepted.add(change.move());
                current = change.after();
            }
        }

        private static List<Long> consecutive(List<Move> history) {
            var first = history.getFirst().version();
            return LongStream.range(first, first + history.size()).boxed().toList();
        }
    }
}
