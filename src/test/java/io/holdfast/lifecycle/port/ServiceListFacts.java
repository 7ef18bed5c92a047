package io.holdfast.lifecycle.port;

import static io.holdfast.lifecycle.model.ServiceStatus.DEPLOYING;
import static io.holdfast.lifecycle.model.ServiceStatus.IDLE;
import static io.holdfast.lifecycle.model.ServiceStatus.RUNNING;
import static io.holdfast.lifecycle.port.ServiceDriver.anId;
import static io.holdfast.lifecycle.port.ServiceDriver.deploy;
import static io.holdfast.lifecycle.port.ServiceDriver.repair;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.Page;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists of every store of services. */
interface ServiceListFacts {
    LifecycleStore store();

    /** How many changes the racing tests make at the same time. */
    int races();

    default ServiceDriver driver() {
        return new ServiceDriver(store());
    }

    /** Of all shards and several statuses, with two prefixes. Ordered by id. */
    private List<Service> someServices() {
        return IntStream.range(0, 14)
                .mapToObj(i -> {
                    var id = new ServiceId((i % 3 == 0 ? "shop/" : "team#1/") + (char) ('A' + (i * 7) % 26) + i);
                    var service = driver().register(id, NOON);
                    return switch (i % 4) {
                        case 0 -> driver().write(service, deploy(), NOON.plusSeconds(1));
                        case 1 -> driver().write(service, repair(RUNNING), NOON.plusSeconds(1));
                        default -> service;
                    };
                })
                .sorted(Comparator.comparing(Service::id))
                .toList();
    }

    @Test
    default void allServicesAreListedOnceByIdWhateverThePageSize() {
        var services = someServices();
        assertThat(services.stream().map(service -> LifecycleStore.shardOf(service.id())))
                .contains(0, 1, 2, 3);

        for (var limit = 1; limit <= services.size() + 1; limit++) {
            assertThat(listed(Optional.empty(), "", limit))
                    .as("limit %d", limit)
                    .isEqualTo(services);
        }
    }

    @Test
    default void servicesAreListedByPrefixAndStatus() {
        var services = someServices();

        for (var limit : List.of(1, 3, 100)) {
            for (var prefix : List.of("", "shop/", "team#1/", "team#1/H", "shop/~", "a", "z")) {
                for (var status : Stream.concat(
                                Stream.of(Optional.<ServiceStatus>empty()),
                                Stream.of(IDLE, DEPLOYING, RUNNING).map(Optional::of))
                        .toList()) {
                    var query = new ServiceQuery(status, prefix, limit, Optional.empty());
                    assertThat(listed(status, prefix, limit))
                            .as("%s", query)
                            .isEqualTo(services.stream().filter(query::matches).toList());
                }
            }
        }
    }

    @Test
    default void aCursorOutsideOfThePrefixIsAPosition() {
        var services = someServices();
        var shop = services.stream()
                .filter(service -> service.id().value().startsWith("shop/"))
                .toList();

        assertThat(await(store().list(new ServiceQuery(Optional.empty(), "shop/", 100, Optional.of(new Cursor("a")))))
                        .items())
                .isEqualTo(shop);
        assertThat(await(store().list(new ServiceQuery(Optional.empty(), "shop/", 100, Optional.of(new Cursor("z")))))
                        .items())
                .isEmpty();
    }

    @Test
    default void everyServiceIsInOneShard() {
        var services = someServices();

        for (var limit : List.of(1, 3, 100)) {
            var found = new ArrayList<Service>();
            for (var shard = 0; shard < LifecycleStore.SHARDS; shard++) {
                var part = shard;
                found.addAll(all(limit, after -> store().shard(part, limit, after)));
            }
            assertThat(found).containsExactlyInAnyOrderElementsOf(services);
        }
    }

    @Test
    default void theHistoryIsReadInPagesWithoutGapOrRepeat() {
        var service = driver().register(anId(), NOON);
        // Another service whose identifier begins with this one.
        driver().register(new ServiceId(service.id() + "2"), NOON);
        for (var i = 1; i <= 6; i++) {
            service = driver().write(service, repair(i % 2 == 0 ? IDLE : RUNNING), NOON.plusSeconds(i));
        }

        var whole = driver().history(service.id());

        assertThat(whole).hasSize(7);
        assertThat(whole).extracting(Move::version).isEqualTo(versions(service.version(), 7));
        for (var limit = 1; limit <= 8; limit++) {
            assertThat(driver().history(service.id(), limit)).isEqualTo(whole);
        }
    }

    private static List<Long> versions(long newest, int count) {
        return IntStream.range(0, count).mapToObj(i -> newest - i).toList();
    }

    @Test
    default void anUnknownServiceHasNoHistory() {
        assertThat(driver().history(anId())).isEmpty();
    }

    private List<Service> listed(Optional<ServiceStatus> status, String prefix, int limit) {
        return all(limit, after -> store().list(new ServiceQuery(status, prefix, limit, after)));
    }

    private static <T> List<T> all(int limit, Function<Optional<Cursor>, Uni<Page<T>>> read) {
        var all = new ArrayList<T>();
        Optional<Cursor> next = Optional.empty();
        do {
            var page = await(read.apply(next));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page.items());
            next = page.next();
        } while (next.isPresent());
        return all;
    }
}
