package io.holdfast.store.embedded;

import static io.holdfast.lock.port.Fixtures.await;
import static io.holdfast.registry.RegistryFixtures.aName;
import static io.holdfast.registry.RegistryFixtures.anId;
import static io.holdfast.registry.RegistryFixtures.app;
import static io.holdfast.registry.RegistryFixtures.database;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.port.Fixtures;
import io.holdfast.registry.RegistryFixtures;
import io.holdfast.registry.RegistryStore;
import io.holdfast.registry.RegistryStoreContract;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.embedded.engine.EmbeddedSettings;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRegistryStoreTest extends RegistryStoreContract {
    @TempDir
    static Path folder;

    private static EmbeddedStore store;

    @BeforeAll
    static void open() {
        store = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE);
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Override
    protected RegistryStore store() {
        return store.registry();
    }

    @Override
    protected int races() {
        return 1000;
    }

    @Test
    void everythingIsThereAgainAfterARestart(@TempDir Path own) {
        var id = anId();
        var actuators = RegistryFixtures.everyActuator();
        var apps = RegistryFixtures.everyProbe().stream()
                .map(probe -> app(aName(), probe, id))
                .toList();
        var others =
                actuators.stream().map(actuator -> database(anId(), actuator)).toList();
        var before = inAStoreOn(own, registry -> {
            await(registry.putDatabase(database(id)));
            others.forEach(other -> await(registry.putDatabase(other)));
            apps.forEach(app -> await(registry.putApp(app)));
            return await(registry.findDatabase(id));
        });

        inAStoreOn(own, registry -> {
            assertThat(await(registry.findDatabase(id))).isEqualTo(before).isPresent();
            apps.forEach(app -> assertThat(await(registry.findApp(app.name()))).contains(app));
            others.forEach(other -> assertThat(await(registry.findDatabase(other.id())))
                    .hasValueSatisfying(found -> assertThat(found.database()).isEqualTo(other)));
            return null;
        });
    }

    private static <T> T inAStoreOn(Path folder, Function<RegistryStore, T> work) {
        try (var opened = EmbeddedStore.open(
                folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE, StoreTelemetry.NONE)) {
            return work.apply(opened.registry());
        }
    }
}
