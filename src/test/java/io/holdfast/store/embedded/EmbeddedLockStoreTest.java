package io.holdfast.store.embedded;

import io.holdfast.lock.Fixtures;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.LockStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedLockStoreTest extends LockStoreContract {
    @TempDir
    static Path folder;

    private static EmbeddedStore store;

    @BeforeAll
    static void open() {
        store = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE);
    }

    @AfterAll
    static void close() {
        store.close();
    }

    @Override
    protected LockStore store() {
        return store.locks();
    }

    @Override
    protected int rounds() {
        return 50;
    }
}
