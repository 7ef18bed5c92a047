package io.holdfast.http.database;

import static io.holdfast.http.database.PowerCalls.registered;
import static io.holdfast.http.database.PowerCalls.start;
import static io.holdfast.http.database.PowerCalls.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.stage.PostgresMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL behind the webhook: what is stopped no longer answers, and what is started does. */
interface PostgresFacts {
    @Test
    default void aPostgresIsStoppedByTheThirdStopAndComesBackByAStart(@TempDir Path folder) throws SQLException {
        try (var postgres = new PostgresMachine(folder);
                var webhook = new Webhook(postgres);
                var a = new SmallApp();
                var b = new SmallApp();
                var c = new SmallApp()) {
            postgres.ask("create table kept as select 'still here' as words");
            var db = registered(webhook, postgres.port());
            var aName = registered("a", a, db);
            var bName = registered("b", b, db);
            var cName = registered("c", c, db);

            assertThat(stop(aName).getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            a.goDown();
            assertThat(stop(bName).getString("decision")).isEqualTo("SKIPPED_SHARED_ACTIVE");
            b.goDown();
            assertThat(postgres.ask("select 1")).isEqualTo("1");
            assertThat(stop(cName).getString("decision")).isEqualTo("STOPPED");
            c.goDown();
            assertThatThrownBy(() -> postgres.ask("select 1")).isInstanceOf(SQLException.class);

            assertThat(start(bName).getString("decision")).isEqualTo("STARTED");
            assertThat(postgres.ask("select words from kept")).isEqualTo("still here");
            assertThat(webhook.orders()).containsExactly("stop", "start");
        }
    }
}
