package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.ADA;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.RULES;
import static io.holdfast.lock.port.Fixtures.aName;
import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.lock.port.Fixtures.wants;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.port.JobFixtures;
import io.holdfast.power.model.PowerState;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.EarlierPowerContract;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

/** A data file of format 1, with {@code wishes}, {@code holds}, {@code hold_version} and {@code what}. */
class EarlierPowerRowsTest extends EarlierPowerContract {
    private static final int EARLIER_FORMAT = 1;

    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aFileThatIsReadKeepsItsFormat() throws SQLException {
        given();
        state();
        store.close();

        assertThat(format()).isEqualTo(EARLIER_FORMAT);
        open();
    }

    /** An earlier program reads these rows, so it can still be started again. */
    @Test
    void aLockAndTheCheckOfTheStoreKeepTheFormat() throws SQLException {
        given();
        await(store.locks().acquire(wants(ADA, aName()), NOON));
        assertThat(await(store.check().problems())).isEmpty();
        store.close();

        assertThat(format()).isEqualTo(EARLIER_FORMAT);
        open();
    }

    /** An earlier program leaves the tables of jobs alone. */
    @Test
    void aClusterKeepsTheFormat() throws SQLException {
        given();
        var cluster = JobFixtures.aCluster();
        assertThat(await(store.jobs().commit(JobFixtures.creating(cluster), NOON, NOON)))
                .isTrue();
        store.close();

        assertThat(format()).isEqualTo(EARLIER_FORMAT);
        open();
    }

    /** An earlier program would not find the fields of the row, so it must refuse the file by its format. */
    @Test
    void theFirstStopRequestRaisesTheFormat() throws SQLException {
        given();
        await(power().requestStop(id, CLAIMS, NOON));
        store.close();

        assertThat(format()).isEqualTo(EARLIER_FORMAT + 1);
        open();
        assertThat(state().intents().stopRequests()).containsKeys(ASKS, CLAIMS);
    }

    @Test
    void aNewFileHasTheNewFormat() throws SQLException {
        store.close();

        assertThat(format()).isEqualTo(EARLIER_FORMAT + 1);
        open();
    }

    @Override
    protected PowerStore power() {
        return store.power();
    }

    @Override
    protected RegistryStore registry() {
        return store.registry();
    }

    @Override
    protected void store(PowerState state) {
        put(
                "power",
                id.value(),
                "{\"phase\":\"" + state.phase() + "\",\"epoch\":" + state.epoch() + ",\"since\":"
                        + state.since().toEpochMilli() + ",\"hold_version\":"
                        + state.intents().version() + ",\"wishes\":"
                        + times(state.intents().stopRequests()) + ",\"holds\":"
                        + times(state.intents().startClaims()) + "}");
    }

    @Override
    protected void store(DatabaseId database, String decision) {
        put("decisions", database + " %019d-0".formatted(Long.MAX_VALUE - SINCE.toEpochMilli()), decision);
    }

    private static String times(Map<AppName, Instant> times) {
        return times.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue().toEpochMilli())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private void put(String table, String key, String value) {
        store.close();
        try (var file = JDBC.createConnection(JDBC.PREFIX + folder.resolve("holdfast.db"), new Properties());
                var row = file.prepareStatement("INSERT INTO " + table + " (key, value) VALUES (?, ?)");
                var statement = file.createStatement()) {
            statement.execute("PRAGMA user_version = " + EARLIER_FORMAT);
            row.setString(1, key);
            row.setString(2, value);
            row.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        open();
    }

    private int format() throws SQLException {
        try (var file = JDBC.createConnection(JDBC.PREFIX + folder.resolve("holdfast.db"), new Properties());
                var statement = file.createStatement();
                var rows = statement.executeQuery("PRAGMA user_version")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
