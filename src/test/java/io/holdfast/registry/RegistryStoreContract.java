package io.holdfast.registry;

import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.registry.RegistryFixtures.HTTP_PROBE;
import static io.holdfast.registry.RegistryFixtures.NO_PROBE;
import static io.holdfast.registry.RegistryFixtures.aName;
import static io.holdfast.registry.RegistryFixtures.anId;
import static io.holdfast.registry.RegistryFixtures.app;
import static io.holdfast.registry.RegistryFixtures.database;
import static io.holdfast.registry.RegistryFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.kernel.Cursor;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Page;
import io.holdfast.registry.RegistryStore.PutOutcome;
import io.holdfast.registry.RegistryStore.RemoveAppOutcome;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every registry store must do. */
public abstract class RegistryStoreContract {
    /** May be shared between tests: each uses names of its own. */
    protected abstract RegistryStore store();

    /** How many changes the racing tests make; a slow back end may do fewer. */
    protected abstract int races();

    // Refusals first.

    @Test
    void anAppThatNamesUnknownDatabasesIsRefusedWithExactlyThoseAndChangesNothing() {
        var known = registered();
        var alsoKnown = registered();
        var missing = Set.of(anId(), anId(), anId());
        var before = look(known);
        var wanted = new HashSet<>(missing);
        wanted.add(known);
        wanted.add(alsoKnown);
        var name = aName();

        var outcome = await(store().putApp(new App(name, NO_PROBE, wanted)));

        assertThat(outcome).isEqualTo(new PutOutcome.NoSuchDatabases(missing));
        assertThat(await(store().findApp(name))).isEmpty();
        assertThat(look(known)).isEqualTo(before);
        assertThat(look(alsoKnown).sharers()).isEmpty();
        missing.forEach(id -> assertThat(await(store().findDatabase(id))).isEmpty());
    }

    @Test
    void anUpdateThatNamesAnUnknownDatabaseLeavesTheAppAsItWas() {
        var kept = registered();
        var app = put(app(aName(), kept));
        var before = look(kept);
        var missing = anId();

        var outcome = await(store().putApp(app(app.name(), NO_PROBE, missing)));

        assertThat(outcome).isEqualTo(new PutOutcome.NoSuchDatabases(Set.of(missing)));
        assertThat(await(store().findApp(app.name()))).contains(app);
        assertThat(look(kept)).isEqualTo(before);
    }

    @Test
    void aDatabaseStillLinkedIsNotRemovedAndNamesItsApps() {
        var id = registered();
        var apps = Stream.generate(() -> put(app(aName(), id)).name())
                .limit(3)
                .sorted()
                .toList();
        var before = look(id);

        var outcome = await(store().removeDatabase(id));

        assertThat(outcome).isEqualTo(new RemoveDatabaseOutcome.StillLinked(apps));
        assertThat(look(id)).isEqualTo(before);
    }

    @Test
    void whatIsNotThereIsNotFoundAndNotRemoved() {
        assertThat(await(store().findApp(aName()))).isEmpty();
        assertThat(await(store().findDatabase(anId()))).isEmpty();
        assertThat(await(store().removeApp(aName()))).isEqualTo(new RemoveAppOutcome.NoSuchApp());
        assertThat(await(store().removeDatabase(anId()))).isEqualTo(new RemoveDatabaseOutcome.NoSuchDatabase());
    }

    @Test
    void anAppMayUseTheMostDatabasesAndExchangeThemAllAtOnce() {
        var first = registered(App.DATABASES_MAX);
        var second = registered(App.DATABASES_MAX);
        var name = aName();
        put(new App(name, HTTP_PROBE, first));

        var outcome = await(store().putApp(new App(name, NO_PROBE, second)));

        assertThat(outcome).isEqualTo(new PutOutcome.Updated());
        first.forEach(id -> assertThat(look(id).sharers()).isEmpty());
        second.forEach(id -> assertThat(look(id).sharers()).containsExactly(new Sharer(name, NO_PROBE)));
        assertThat(await(store().removeApp(name))).isEqualTo(new RemoveAppOutcome.Removed());
        second.forEach(id -> assertThat(look(id).sharers()).isEmpty());
    }

    @Test
    void oneDatabaseMoreThanTheMostIsRefused() {
        var tooMany = Stream.generate(RegistryFixtures::anId)
                .limit(App.DATABASES_MAX + 1)
                .collect(Collectors.toSet());

        assertThatThrownBy(() -> new App(aName(), NO_PROBE, tooMany)).isInstanceOf(InvalidInputException.class);
    }

    // What is kept.

    static List<ActuatorSpec> everyActuator() {
        return RegistryFixtures.everyActuator();
    }

    static List<ProbeSpec> everyProbe() {
        return RegistryFixtures.everyProbe();
    }

    @ParameterizedTest
    @MethodSource("everyActuator")
    void aDatabaseReadsBackAsItWasPut(ActuatorSpec actuator) {
        var database = database(anId(), actuator);

        var outcome = await(store().putDatabase(database));

        assertThat(outcome).isEqualTo(new PutOutcome.Created());
        assertThat(look(database.id()).database()).isEqualTo(database);
        assertThat(all(after -> store().listDatabases(100, after))).contains(database);
    }

    @ParameterizedTest
    @MethodSource("everyProbe")
    void anAppReadsBackAsItWasPutAndSoDoItsLinks(ProbeSpec probe) {
        var first = registered();
        var second = registered();
        var app = app(aName(), probe, first, second);

        var outcome = await(store().putApp(app));

        assertThat(outcome).isEqualTo(new PutOutcome.Created());
        assertThat(await(store().findApp(app.name()))).contains(app);
        assertThat(look(first).sharers()).containsExactly(app.sharer());
        assertThat(look(second).sharers()).containsExactly(app.sharer());
        assertThat(all(after -> store().listApps(100, after))).contains(app);
    }

    @Test
    void anAddressMayHaveAnInstanceIdAndNoPort() {
        var instance = "i-" + Long.toHexString(new Random().nextLong());
        var id = new DatabaseId(instance);
        var withBoth = new Database.Address("db.example", Optional.of(7687), Optional.of(instance));
        var withoutPort = new Database.Address("db.example", Optional.empty(), Optional.of(instance));
        await(store().putDatabase(new Database(id, "neo4j", withBoth, new ActuatorSpec.Simulated())));
        var later = new Database(id, "neo4j-5", withoutPort, new ActuatorSpec.Ec2(instance, Optional.empty()));

        var outcome = await(store().putDatabase(later));

        assertThat(outcome).isEqualTo(new PutOutcome.Updated());
        assertThat(look(id).database()).isEqualTo(later);
    }

    @Test
    void anAppNeedsNoDatabase() {
        var app = app(aName());

        assertThat(await(store().putApp(app))).isEqualTo(new PutOutcome.Created());
        assertThat(await(store().findApp(app.name()))).contains(app);
        assertThat(await(store().removeApp(app.name()))).isEqualTo(new RemoveAppOutcome.Removed());
    }

    // Links and their version.

    @Test
    void everyLinkMadeBrokenOrChangedRaisesTheEdgeVersionByOne() {
        var id = registered();
        var name = aName();
        var start = look(id).edgeVersion();

        put(app(name, HTTP_PROBE, id));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 1);
        put(app(name, NO_PROBE, id));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 2);
        put(app(aName(), id));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 3);
        put(app(name, NO_PROBE));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 4);
        put(app(name, NO_PROBE, id));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 5);
        await(store().removeApp(name));
        assertThat(look(id).edgeVersion()).isEqualTo(start + 6);
    }

    @Test
    void whatChangesNoLinkLeavesTheEdgeVersion() {
        var id = registered();
        var other = registered();
        var app = put(app(aName(), id));
        var before = look(id).edgeVersion();

        put(app);
        put(app(app.name(), id, other));
        put(app(app.name(), id));
        put(app(aName(), other));
        await(store().putDatabase(database(id, new ActuatorSpec.Rds("orders", false, Optional.empty()))));

        assertThat(look(id).edgeVersion()).isEqualTo(before);
    }

    @Test
    void anUpdatedDatabaseKeepsItsLinks() {
        var id = registered();
        var app = put(app(aName(), id));
        var changed = database(id, new ActuatorSpec.Rds("orders", true, Optional.empty()));

        assertThat(await(store().putDatabase(changed))).isEqualTo(new PutOutcome.Updated());

        assertThat(look(id).database()).isEqualTo(changed);
        assertThat(look(id).sharers()).containsExactly(app.sharer());
        assertThat(all(after -> store().listDatabases(100, after))).contains(changed);
    }

    @Test
    void aRemovedAppBreaksItsLinksAndFreesTheDatabase() {
        var id = registered();
        var app = put(app(aName(), id));

        assertThat(await(store().removeApp(app.name()))).isEqualTo(new RemoveAppOutcome.Removed());

        assertThat(await(store().findApp(app.name()))).isEmpty();
        assertThat(look(id).sharers()).isEmpty();
        assertThat(await(store().removeApp(app.name()))).isEqualTo(new RemoveAppOutcome.NoSuchApp());
        assertThat(await(store().removeDatabase(id))).isEqualTo(new RemoveDatabaseOutcome.Removed());
        assertThat(await(store().findDatabase(id))).isEmpty();
        assertThat(all(after -> store().listApps(100, after)))
                .extracting(App::name)
                .doesNotContain(app.name());
        assertThat(all(after -> store().listDatabases(100, after)))
                .extracting(Database::id)
                .doesNotContain(id);
    }

    /** Otherwise who looked before could commit after, as if it still were the same database with the same links. */
    @Test
    void aDatabaseRegisteredAnewDoesNotRepeatAnEdgeVersion() {
        var id = registered();
        var seen = look(id).edgeVersion();
        await(store().removeDatabase(id));

        await(store().putDatabase(database(id)));

        assertThat(look(id).edgeVersion()).isNotEqualTo(seen);
    }

    @Test
    void anAppMadeAnewIsCreatedAndLinksAgain() {
        var id = registered();
        var app = put(app(aName(), id));
        await(store().removeApp(app.name()));

        assertThat(await(store().putApp(app))).isEqualTo(new PutOutcome.Created());
        assertThat(look(id).sharers()).containsExactly(app.sharer());
    }

    @Test
    void sharersAreOfThisDatabaseAloneHoweverTheNamesLook() {
        var id = new DatabaseId("h" + Long.toHexString(new Random().nextLong()) + ":54");
        var longer = new DatabaseId(id.value() + "32");
        await(store().putDatabase(databaseOn(id)));
        await(store().putDatabase(databaseOn(longer)));
        var odd = put(app(new AppName("#DB" + aName()), id));
        var last = put(app(new AppName("zz/" + aName() + "@x"), id));
        put(app(aName(), longer));

        assertThat(names(look(id))).containsExactlyInAnyOrder(odd.name(), last.name());
    }

    // Listing.

    @Test
    void pagesGoOnWhereTheyEnded() {
        var names = Stream.generate(() -> put(app(aName())).name()).limit(7).toList();

        var seen = new ArrayList<AppName>();
        var cursor = Optional.<Cursor>empty();
        do {
            var page = await(store().listApps(3, cursor));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(3);
            page.items().forEach(app -> seen.add(app.name()));
            cursor = page.next().map(next -> Cursor.parse(next.text()));
        } while (cursor.isPresent());

        assertThat(seen).containsAll(names).doesNotHaveDuplicates();
    }

    @Test
    void pagesOfDatabasesGoOnWhereTheyEnded() {
        var ids = registered(7);

        var seen = all(after -> store().listDatabases(2, after));

        assertThat(seen).extracting(Database::id).containsAll(ids).doesNotHaveDuplicates();
    }

    @Test
    void aCursorFromNowhereIsHarmless() {
        await(store().listApps(5, Optional.of(new Cursor("\u0000\n😀"))));
        assertThat(await(store().listApps(5, Optional.of(new Cursor("\uffff")))).items())
                .isEmpty();
    }

    // Races.

    /** Many apps come, change and go at once on few databases; then both ways of looking must tell the same. */
    @Test
    void linksAgreeBothWaysAfterARace() {
        var seed = 20260301L;
        var random = new Random(seed);
        var ids = List.copyOf(registered(4));
        var names = Stream.generate(RegistryFixtures::aName).limit(12).toList();
        var probes = RegistryFixtures.everyProbe();
        var starts = ids.stream().map(id -> look(id).edgeVersion()).toList();
        var changes = new ArrayList<Uni<Void>>();
        for (var i = 0; i < races(); i++) {
            var name = names.get(random.nextInt(names.size()));
            var wanted = ids.stream().filter(id -> random.nextBoolean()).collect(Collectors.toSet());
            var probe = probes.get(random.nextInt(probes.size()));
            changes.add(
                    random.nextInt(4) == 0
                            ? store().removeApp(name).replaceWithVoid()
                            : store().putApp(new App(name, probe, wanted)).replaceWithVoid());
        }

        await(Uni.join().all(changes).usingConcurrencyOf(8).andFailFast());

        for (var id : ids) {
            var expected = names.stream()
                    .flatMap(name -> await(store().findApp(name)).stream())
                    .filter(app -> app.databases().contains(id))
                    .map(App::sharer)
                    .collect(Collectors.toSet());
            assertThat(look(id).sharers()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(look(id).edgeVersion()).isGreaterThan(starts.get(ids.indexOf(id)));
        }
        var listed = all(after -> store().listApps(100, after));
        names.forEach(name -> assertThat(await(store().findApp(name)))
                .isEqualTo(
                        listed.stream().filter(app -> app.name().equals(name)).findAny()));
    }

    @Test
    void everyOneOfManyAppsThatLinkAtOnceIsASharer() {
        var id = registered();
        var start = look(id).edgeVersion();
        var apps =
                IntStream.range(0, races() / 2).mapToObj(i -> app(aName(), id)).toList();

        await(Uni.join()
                .all(apps.stream().map(store()::putApp).toList())
                .usingConcurrencyOf(8)
                .andFailFast());

        assertThat(look(id).sharers())
                .containsExactlyInAnyOrderElementsOf(
                        apps.stream().map(App::sharer).toList());
        assertThat(look(id).edgeVersion()).isEqualTo(start + apps.size());
    }

    @Test
    void ofALinkAndARemovalAtOnceExactlyOneSucceeds() {
        for (var round = 0; round < races() / 4; round++) {
            var id = registered();
            var app = app(aName(), id);

            var both = await(Uni.combine()
                    .all()
                    .unis(store().putApp(app), store().removeDatabase(id))
                    .asTuple());

            var linked = both.getItem1().equals(new PutOutcome.Created());
            assertThat(both.getItem2())
                    .isEqualTo(
                            linked
                                    ? new RemoveDatabaseOutcome.StillLinked(List.of(app.name()))
                                    : new RemoveDatabaseOutcome.Removed());
            assertThat(await(store().findApp(app.name())).isPresent()).isEqualTo(linked);
            assertThat(await(store().findDatabase(id)).map(RegistryFixtures::names))
                    .isEqualTo(linked ? Optional.of(Set.of(app.name())) : Optional.empty());
        }
    }

    /** Links come, change and go one after the other; whoever looks sees each edge version with just its links. */
    @Test
    void anEdgeVersionAlwaysComesWithItsLinks() {
        var seed = 20260302L;
        var id = registered();
        var start = look(id).edgeVersion();
        var history = history(id, new Random(seed));
        var changing = Multi.createFrom()
                .iterable(history)
                .onItem()
                .transformToUniAndConcatenate(step -> step.change().get())
                .collect()
                .asList();
        var looking = Multi.createFrom()
                .range(0, races() * 2)
                .onItem()
                .transformToUni(i -> store().findDatabase(id))
                .merge(2)
                .collect()
                .asList();

        var seen = await(Uni.combine().all().unis(changing, looking).asTuple()).getItem2();

        assertThat(seen).allSatisfy(found -> {
            var look = found.orElseThrow();
            var changes = (int) (look.edgeVersion() - start);
            var expected = changes == 0 ? Set.of() : history.get(changes - 1).linksAfter();
            assertThat(Set.copyOf(look.sharers()))
                    .as("seed %d, after %d changes", seed, changes)
                    .isEqualTo(expected);
        });
    }

    private record Step(Supplier<Uni<?>> change, Set<Sharer> linksAfter) {}

    /** Changes of which each raises the edge version by one. */
    private List<Step> history(DatabaseId id, Random random) {
        var names = Stream.generate(RegistryFixtures::aName).limit(4).toList();
        var linked = new HashMap<AppName, ProbeSpec>();
        var steps = new ArrayList<Step>();
        for (var i = 0; i < races(); i++) {
            var name = names.get(random.nextInt(names.size()));
            Supplier<Uni<?>> change;
            if (linked.containsKey(name) && random.nextBoolean()) {
                linked.remove(name);
                change = () -> store().removeApp(name);
            } else {
                var probe = NO_PROBE.equals(linked.get(name)) ? HTTP_PROBE : NO_PROBE;
                linked.put(name, probe);
                change = () -> store().putApp(app(name, probe, id));
            }
            var links = linked.entrySet().stream()
                    .map(link -> new Sharer(link.getKey(), link.getValue()))
                    .collect(Collectors.toSet());
            steps.add(new Step(change, links));
        }
        return steps;
    }

    // Words.

    private DatabaseId registered() {
        var id = anId();
        assertThat(await(store().putDatabase(database(id)))).isEqualTo(new PutOutcome.Created());
        return id;
    }

    private Set<DatabaseId> registered(int count) {
        return Stream.generate(this::registered).limit(count).collect(Collectors.toSet());
    }

    private App put(App app) {
        assertThat(await(store().putApp(app))).isNotInstanceOf(PutOutcome.NoSuchDatabases.class);
        return app;
    }

    private SharedDatabase look(DatabaseId id) {
        return await(store().findDatabase(id)).orElseThrow();
    }

    private static Database databaseOn(DatabaseId id) {
        var parts = id.value().split(":");
        return new Database(
                id,
                "postgres",
                new Database.Address(parts[0], Optional.of(Integer.valueOf(parts[1])), Optional.empty()),
                new ActuatorSpec.Simulated());
    }

    private static <T> List<T> all(Function<Optional<Cursor>, Uni<Page<T>>> list) {
        var found = new ArrayList<T>();
        var cursor = Optional.<Cursor>empty();
        do {
            var page = await(list.apply(cursor));
            found.addAll(page.items());
            cursor = page.next();
        } while (cursor.isPresent());
        return found;
    }
}
