package io.holdfast.power;

import static io.holdfast.lock.port.Fixtures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.power.HistoryReplica.Fault;
import io.holdfast.power.HistoryReplica.Plan;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.Actuator;
import io.holdfast.registry.AppName;
import io.holdfast.registry.RegistryStore.RemoveDatabaseOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One history, played at random from its seed. */
final class PowerHistory {
    private static final int STEPS = 20;
    private static final int CALLS_MAX = 7;
    private static final int ROUNDS = 6;

    private final int seed;
    private final Random random;
    private final World world;
    private final PowerOracle oracle;
    private final List<HistoryReplica> replicas = new ArrayList<>();
    private final List<AppName> apps = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    PowerHistory(int seed, World world) {
        this.seed = seed;
        this.random = new Random(seed);
        this.world = world;
        this.oracle = new PowerOracle(world);
        Stream.generate(() -> new HistoryReplica(world, oracle)).limit(2).forEach(replicas::add);
    }

    void run() {
        newApp(AppStatus.UP);
        newApp(randomStatus());
        beSlow();
        for (var step = 0; step < STEPS; step++) {
            step();
            await(replicas.getFirst().server().service().overview(world.id)).ifPresent(oracle::shown);
            assertThat(oracle.violations()).as("%s", this).isEmpty();
        }
        calm();
        checkBlockers();
        end();
        assertThat(oracle.violations()).as("%s", this).isEmpty();
    }

    private void step() {
        world.clock.advance(Duration.ofMillis(1));
        switch (random.nextInt(24)) {
            case 0 -> newApp(randomStatus());
            case 1, 2 -> become(anyApp(), AppStatus.DOWN);
            case 3 -> become(anyApp(), AppStatus.UNKNOWN);
            case 4, 5, 6, 7 -> start(anyApp(), plan());
            case 8, 9, 10 -> advance(someTime());
            case 11, 12, 13, 14, 15 -> freeReplica().ifPresent(replica -> reconcile(replica, plan()));
            case 16 -> linkAnewOrNotAtAll(anyApp());
            case 17 -> beSlow();
            case 18 -> world.database.answersNext(new Actuator.Outcome.Retry("throttled"));
            case 19 -> registerAnew();
            default -> stop(anyApp(), plan());
        }
    }

    /** What may come in between while a replica is at work: requests, changes of links, other replicas, time. */
    private void happen() {
        world.clock.advance(Duration.ofMillis(1));
        switch (random.nextInt(12)) {
            case 0 -> newApp(AppStatus.UP);
            case 1, 2, 3 -> start(anyApp(), Plan.UNDISTURBED);
            case 4, 5, 6, 7 -> stop(anyApp(), Plan.UNDISTURBED);
            case 8 -> advance(world.settings.lockTtl());
            case 9, 10 -> freeReplica().ifPresent(replica -> reconcile(replica, Plan.UNDISTURBED));
            default -> registerAnew();
        }
    }

    private Duration someTime() {
        return switch (random.nextInt(3)) {
            case 0 -> world.settings.lockTtl().plus(Fixtures.SKEW).plusMillis(1);
            case 1 -> world.settings.startClaim().dividedBy(2).plusMillis(1);
            default -> Duration.ofSeconds(random.nextInt(700));
        };
    }

    private void beSlow() {
        switch (random.nextInt(3)) {
            case 0 -> world.database.alwaysLagsBy(random.nextInt(12));
            case 1 -> world.database.hangsWhenStopped();
            default -> world.database.obeys();
        }
    }

    private Plan plan() {
        if (random.nextInt(3) == 0) {
            world.whileProbing(anyApp(), this::happen);
        }
        var happeningAt = random.nextBoolean() ? 1 + random.nextInt(CALLS_MAX) : 0;
        var fault = random.nextInt(3) == 0 ? Fault.values()[random.nextInt(Fault.values().length)] : Fault.NONE;
        return new Plan(happeningAt, this::happen, 1 + random.nextInt(CALLS_MAX), fault);
    }

    private void newApp(AppStatus status) {
        var app = world.app("app" + apps.size(), status);
        apps.add(app);
        oracle.is(app, status);
        oracle.linked(app);
        note("new " + app + " " + status);
    }

    private void become(AppName app, AppStatus status) {
        world.apps.put(app, status);
        oracle.is(app, status);
        note(app + " is " + status);
    }

    private void advance(Duration by) {
        world.clock.advance(by);
        note("time passes: " + by);
    }

    private void linkAnewOrNotAtAll(AppName app) {
        if (random.nextBoolean()) {
            unlink(app);
        } else {
            link(app);
        }
    }

    private void link(AppName app) {
        world.link(app);
        oracle.linked(app);
        note("link " + app);
    }

    private void unlink(AppName app) {
        world.unlink(app);
        oracle.unlinked(app);
        note("unlink " + app);
    }

    /** Removes the database, which all apps have to leave for, and registers it again with the same apps. */
    private void registerAnew() {
        apps.forEach(this::unlink);
        var database =
                await(world.registry().findDatabase(world.id)).orElseThrow().database();
        var outcome = await(world.registry().removeDatabase(world.id));
        if (outcome instanceof RemoveDatabaseOutcome.Removed) {
            await(world.registry().putDatabase(database));
            oracle.registeredAnew();
        }
        note("register anew: " + outcome);
        apps.forEach(this::link);
    }

    /** As an app should: it asks for its databases first, and comes up when they are there. */
    private void start(AppName app, Plan plan) {
        var replica = freeReplica();
        if (replica.isEmpty()) {
            return;
        }
        var request = oracle.asks(app, false);
        note("start " + app + " " + describe(plan));
        var told = ask(replica.get(), Optional.empty(), plan, () -> replica.get()
                .server()
                .service()
                .start(app));
        told.ifPresent(answer -> oracle.askedToStart(request, answer));
        oracle.answered(request);
        note("started " + app + ": " + told);
        if (told.flatMap(answer -> answer).filter(PowerOracle::isReady).isPresent()) {
            become(app, AppStatus.UP);
        }
    }

    private void stop(AppName app, Plan plan) {
        var replica = freeReplica();
        if (replica.isEmpty()) {
            return;
        }
        var request = oracle.asks(app, true);
        note("stop " + app + " " + describe(plan));
        var told = ask(replica.get(), Optional.of(app), plan, () -> replica.get()
                .server()
                .service()
                .stop(app, false));
        told.ifPresent(answer -> oracle.askedToStop(request, answer));
        oracle.answered(request);
        note("stopped " + app + ": " + told);
        if (random.nextBoolean()) {
            become(app, AppStatus.DOWN);
        }
    }

    /** What was answered about the database, nothing in it if no answer came; none if the app does not use it. */
    private Optional<Optional<Decision>> ask(
            HistoryReplica replica,
            Optional<AppName> asking,
            Plan plan,
            Supplier<Uni<Optional<List<Decision>>>> request) {
        var answer = replica.run(asking, plan, request);
        replaceTheDead();
        return answer.isEmpty()
                ? Optional.of(Optional.empty())
                : answer.get().map(results -> Optional.of(results.getFirst()));
    }

    private void reconcile(HistoryReplica replica, Plan plan) {
        note("reconcile " + describe(plan));
        var decided = replica.run(Optional.empty(), plan, () -> replica.server()
                .reconciler()
                .reconcile(world.id)
                .onFailure()
                .recoverWithItem(Optional.empty()));
        replaceTheDead();
        note("reconciled: " + decided);
    }

    private void replaceTheDead() {
        replicas.replaceAll(replica -> replica.isDead() ? new HistoryReplica(world, oracle) : replica);
    }

    /** Nothing goes wrong any more, everything shows at once, and whatever was held or locked has run out. */
    private void calm() {
        world.calm();
        world.database.obeys();
        advance(world.settings.startClaim().plus(world.settings.lockTtl()).plus(Fixtures.SKEW));
        apps.forEach(app -> become(app, AppStatus.DOWN));
    }

    /** An app that stays up is what keeps the database up, and that is what is said, whichever replica looks. */
    private void checkBlockers() {
        if (oracle.wantsItStopped().isEmpty() || !state().phase().mayRun()) {
            return;
        }
        newApp(AppStatus.UP);
        var witness = apps.getLast();
        var active = "SKIPPED_SHARED_ACTIVE: shared with active apps: " + witness;
        lookAndExpect(0, active);
        become(witness, AppStatus.UNKNOWN);
        lookAndExpect(1, "SKIPPED_UNKNOWN: status unknown, which counts as up: " + witness);
        become(witness, AppStatus.UP);
        lookAndExpect(0, active);
        become(witness, AppStatus.DOWN);
    }

    private void lookAndExpect(int replica, String blocker) {
        advance(Duration.ofSeconds(1));
        reconcile(replicas.get(replica), Plan.UNDISTURBED);
        assertThat(blockers()).as("%s", this).singleElement().asString().startsWith(blocker);
    }

    /** All apps are down for good, and time passes. */
    private void end() {
        for (var round = 0; round < ROUNDS; round++) {
            reconcile(replicas.getFirst(), Plan.UNDISTURBED);
            advance(world.settings.downFor());
        }
        var phase = state().phase();
        if (phase == Phase.STOP_STUCK) {
            // Its orders were all throttled until stop-max. An operator is told, and nothing is forced.
            assertThat(blockers()).as("%s", this).singleElement().asString().startsWith("STOP_STUCK: ");
            return;
        }
        var stopped = phase == Phase.STOPPED;
        // Of a database that was registered anew when it was stopped, nothing has been decided yet.
        if (phase != Phase.UNDECIDED) {
            assertThat(world.database.really())
                    .as("%s", this)
                    .isEqualTo(stopped ? Actuator.State.STOPPED : Actuator.State.RUNNING);
        }
        assertThat(blockers()).as("%s", this).isEqualTo(stopped ? List.of() : List.of("no app has requested a stop"));
        oracle.wantsItStopped().ifPresent(app -> assertThat(stopped)
                .as("%s was told that its stop request is noted. %s", app, this)
                .isTrue());
        if (!oracle.mayHaveBeenAskedToStop()) {
            assertThat(stopped).as("no app asked for a stop. %s", this).isFalse();
        }
    }

    private List<String> blockers() {
        return await(replicas.getFirst().server().service().overview(world.id))
                .orElseThrow()
                .blockers();
    }

    private PowerState state() {
        return await(world.store().snapshot(world.id)).orElseThrow().state();
    }

    private Optional<HistoryReplica> freeReplica() {
        var free = replicas.stream().filter(replica -> !replica.isBusy()).toList();
        return free.isEmpty() ? Optional.empty() : Optional.of(free.get(random.nextInt(free.size())));
    }

    private AppName anyApp() {
        // Often the same one again: most of what can go wrong is about one app that changes its mind.
        var number = random.nextBoolean() ? 0 : random.nextInt(apps.size());
        return apps.get(number);
    }

    private AppStatus randomStatus() {
        return AppStatus.values()[random.nextInt(AppStatus.values().length)];
    }

    private static String describe(Plan plan) {
        return "(happening at " + plan.happeningAt() + ", " + plan.fault() + " at " + plan.faultAt() + ")";
    }

    private void note(String step) {
        steps.add(step.replace("-" + world.id.value().replace(":5432", ""), ""));
    }

    @Override
    public String toString() {
        return "seed " + seed + ", orders " + world.database.orders + "\n" + String.join("\n", steps) + "\n";
    }
}
