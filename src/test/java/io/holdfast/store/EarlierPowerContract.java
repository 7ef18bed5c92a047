package io.holdfast.store;

import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.registry.RegistryFixtures.app;
import static io.holdfast.registry.RegistryFixtures.database;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.kernel.Cursor;
import io.holdfast.power.model.DatabaseSnapshot;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryFixtures;
import io.holdfast.registry.RegistryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Power state under the names of earlier builds: it is read and used like state under the present names. */
public abstract class EarlierPowerContract {
    protected static final AppName ASKS = new AppName("asks");
    protected static final AppName CLAIMS = new AppName("claims");
    protected static final Instant SINCE = NOON.minusSeconds(60);
    protected static final Instant UNTIL = NOON.plusSeconds(600);

    protected final DatabaseId id = RegistryFixtures.anId();

    protected abstract PowerStore power();

    protected abstract RegistryStore registry();

    /** Stores the state, and that it is pending, in the earlier form. The database and its apps are registered. */
    protected abstract void store(PowerState state);

    /** Stores a decision in the earlier form. */
    protected abstract void store(DatabaseId database, String decision);

    @Test
    void theStateIsRead() {
        var state = given();

        assertThat(state()).isEqualTo(state);
    }

    @Test
    void theStateOfManyAppsIsRead() {
        var claims = new TreeMap<AppName, Instant>();
        var requests = new TreeMap<AppName, Instant>();
        IntStream.range(0, 60).forEach(i -> {
            claims.put(new AppName("claims-" + i), UNTIL.plusSeconds(i));
            requests.put(new AppName("asks-" + i), SINCE.plusSeconds(i));
        });
        var state = given(new PowerState(Phase.RUNNING, 5, SINCE, new PowerState.Intents(61, requests, claims)));

        assertThat(state()).isEqualTo(state);
    }

    @Test
    void aStopRequestReplacesTheClaimOfItsApp() {
        given();

        assertThat(await(power().requestStop(id, CLAIMS, NOON))).isTrue();

        assertThat(state().intents().stopRequests()).isEqualTo(Map.of(ASKS, SINCE, CLAIMS, NOON));
        assertThat(state().intents().startClaims()).isEmpty();
    }

    @Test
    void aClaimReplacesTheStopRequestOfItsApp() {
        given();

        assertThat(await(power().claimStart(id, ASKS, UNTIL, NOON))).isTrue();

        assertThat(state().intents().stopRequests()).isEmpty();
        assertThat(state().intents().startClaims()).isEqualTo(Map.of(ASKS, UNTIL, CLAIMS, UNTIL));
    }

    @Test
    void aNewerStopRequestOfTheSameAppCounts() {
        given();

        await(power().requestStop(id, ASKS, NOON));

        assertThat(state().intents().stopRequests()).isEqualTo(Map.of(ASKS, NOON));
    }

    @Test
    void aShorterClaimOfTheSameAppCounts() {
        given();

        await(power().claimStart(id, CLAIMS, UNTIL.minusSeconds(300), NOON));

        assertThat(state().intents().startClaims()).isEqualTo(Map.of(CLAIMS, UNTIL.minusSeconds(300)));
    }

    @Test
    void aClaimIsExtended() {
        given();
        var seen = snapshot();

        assertThat(await(power().extendClaim(seen, CLAIMS, UNTIL.plusSeconds(60))))
                .isTrue();

        assertThat(state().intents().startClaims()).isEqualTo(Map.of(CLAIMS, UNTIL.plusSeconds(60)));
    }

    @Test
    void intentsAreForgotten() {
        given();

        await(power().forget(snapshot(), Set.of(ASKS, CLAIMS)));

        assertThat(state().intents().stopRequests()).isEmpty();
        assertThat(state().intents().startClaims()).isEmpty();
    }

    @Test
    void aStopIsCommittedAndSettled() {
        given();
        var seen = snapshot();

        assertThat(await(power().commit(seen, Phase.STOPPING, NOON))).isTrue();
        assertThat(await(power().settle(id, seen.state().epoch() + 1, Phase.STOPPED, NOON)))
                .isTrue();

        assertThat(state().phase()).isEqualTo(Phase.STOPPED);
        assertThat(state().intents()).isEqualTo(seen.state().intents());
    }

    @Test
    void aStopIsNotCommittedWhenAClaimCame() {
        given();
        var seen = snapshot();
        await(power().claimStart(id, ASKS, UNTIL, NOON));

        assertThat(await(power().commit(seen, Phase.STOPPING, NOON))).isFalse();
        assertThat(state().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void theDatabaseIsListedAsPendingUntilNothingIsLeftToDo() {
        given();
        assertThat(pending()).containsExactly(id);
        await(power().tidy(id, NOON));
        assertThat(pending()).containsExactly(id);

        await(power().forget(snapshot(), Set.of(ASKS, CLAIMS)));
        await(power().tidy(id, NOON));

        assertThat(pending()).isEmpty();
    }

    /** The reconciler may tidy before any other method has read the database. */
    @Test
    void theDatabaseIsPendingWithAStopRequestAlone() {
        given(new PowerState(Phase.RUNNING, 5, SINCE, new PowerState.Intents(0, Map.of(ASKS, SINCE), Map.of())));
        pending();

        await(power().tidy(id, NOON));

        assertThat(pending()).containsExactly(id);
    }

    @Test
    void decisionsAreRead() {
        given();
        store(
                id,
                "{\"database\":\"" + id + "\",\"type\":\"postgres\",\"what\":\"SKIPPED_LOCK\",\"reason\":\"busy\","
                        + "\"epoch\":5,\"at\":" + SINCE.toEpochMilli() + ",\"took_ms\":7,\"sharers\":[]}");

        assertThat(await(power().decisions(id, 10, Optional.empty())).items())
                .singleElement()
                .satisfies(decision -> {
                    assertThat(decision.result()).isEqualTo(Decision.Result.SKIPPED_LOCK);
                    assertThat(decision.by().at()).isEqualTo(SINCE);
                });
    }

    /** One app asks for a stop, another one claims the database. */
    protected PowerState given() {
        return given(new PowerState(
                Phase.RUNNING, 5, SINCE, new PowerState.Intents(7, Map.of(ASKS, SINCE), Map.of(CLAIMS, UNTIL))));
    }

    private PowerState given(PowerState state) {
        await(registry().putDatabase(database(id)));
        await(registry().putApp(app(ASKS, id)));
        await(registry().putApp(app(CLAIMS, id)));
        store(state);
        return state;
    }

    protected DatabaseSnapshot snapshot() {
        return await(power().snapshot(id)).orElseThrow();
    }

    protected PowerState state() {
        return snapshot().state();
    }

    protected List<DatabaseId> pending() {
        var all = new ArrayList<DatabaseId>();
        var after = Optional.<Cursor>empty();
        do {
            var page = await(power().pending(10, after, NOON));
            all.addAll(page.items());
            after = page.next();
        } while (after.isPresent());
        return all;
    }
}
