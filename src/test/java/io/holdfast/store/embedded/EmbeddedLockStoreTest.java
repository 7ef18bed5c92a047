package io.holdfast.store.embedded;

import io.holdfast.lock.Fixtures;
import io.holdfast.lock.LockStore;
import io.holdfast.lock.LockStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedLockStoreTest extends LockStoreContract {
    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(folder, EmbeddedSettings.DEFAULT, Fixtures.RULES, EmbeddedSettings.HERE);
    }

    @AfterEach
    void close() {
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
