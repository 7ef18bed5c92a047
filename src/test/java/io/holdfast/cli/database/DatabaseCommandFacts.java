package io.holdfast.cli.database;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import io.holdfast.cli.RegisteredThings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registering databases, and reading what was decided about them. */
public interface DatabaseCommandFacts extends CliCalls {
    @Test
    default void aDatabaseIsRegisteredListedAndForgottenWhenNobodyUsesIt() {
        var host = unique("db");
        var id = host + ":5432";

        assertThat(good("databases", "put", id, "--type", "postgres", "--actuator", "kind=simulated"))
                .containsPattern("(?m)^host +" + host + "$")
                .containsPattern("(?m)^port +5432$")
                .containsPattern("(?m)^actuator +kind=simulated$");
        assertThat(good("databases", "list"))
                .startsWith("ID ")
                .containsPattern("(?m)^" + id + " +postgres +" + host + " +simulated$");

        assertThat(json("databases", "list").findValuesAsText("id")).contains(id);

        var app = RegisteredThings.app("billing", id);
        assertThat(good("databases", "show", id))
                .containsPattern("(?m)^id +" + id + "$")
                .containsPattern("(?m)^sharers +" + app + "$");
        assertThat(refused(3, "databases", "rm", id)).contains(app);
        assertThat(json("databases", "show", id).at("/sharers/0").asText()).isEqualTo(app);

        RegisteredThings.removeApp(app);
        assertThat(good("databases", "rm", id)).isEqualTo("Removed '" + id + "'.\n");
        assertThat(json("databases", "rm", RegisteredThings.database())
                        .path("removed")
                        .asBoolean())
                .isTrue();
        assertThat(refused(1, "databases", "show", id)).contains(id);
    }

    @Test
    default void aFileIsSentAsItIs(@TempDir Path folder) throws IOException {
        var id = RegisteredThings.newInstanceId();
        var file = folder.resolve("database.json");
        Files.writeString(
                file,
                """
                {"type": "postgres", "host": "db.example", "ec2_instance_id": "%s",
                 "actuator": {"kind": "webhook", "url": "http://hooks.example/", "status_url": "http://hooks.example/s",
                              "secret": "not to be seen on a command line"}}
                """
                        .formatted(id));

        var registered = json("databases", "put", id, "--file", file.toString());

        assertThat(registered.at("/actuator/secret_set").asBoolean()).isTrue();
        assertThat(refused(2, "databases", "put", id, "--actuator", "kind=abacus", "--type", "x", "--host", "y"))
                .contains("actuator.kind");
    }

    @Test
    default void whatWasDecidedIsListedTheNewestFirst() {
        var database = RegisteredThings.database();
        var app = RegisteredThings.app("billing", database);
        assertThat(good("databases", "decisions", database)).isEmpty();
        good("apps", "start", app);
        holdfast("apps", "stop", app);

        assertThat(good("databases", "decisions", database))
                .startsWith("AT ")
                .containsPattern("(?m)^[0-9TZ:.-]+ +STOP\\w+ +" + app + " ");
        assertThat(good("databases", "decisions", database, "--limit", "1", "-o", "plain"))
                .matches("[0-9TZ:.-]+\tSTOP\\w+\t" + app + "\t[^\t]+\t[0-9]+\n");
        assertThat(json("databases", "decisions", database)).hasSizeGreaterThanOrEqualTo(2);
    }
}
