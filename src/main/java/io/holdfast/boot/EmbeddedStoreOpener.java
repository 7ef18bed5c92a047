package io.holdfast.boot;

import io.holdfast.lock.LockLimits;
import io.holdfast.store.StoreConfig;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.store.embedded.engine.EmbeddedConfig;
import io.holdfast.telemetry.metrics.LockMetrics;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** Opens the embedded store in the configured folder. */
@Singleton
class EmbeddedStoreOpener {
    private final StoreConfig store;
    private final EmbeddedConfig embedded;
    private final LockLimits limits;
    private final LockMetrics metrics;

    EmbeddedStoreOpener(StoreConfig store, EmbeddedConfig embedded, LockLimits limits, LockMetrics metrics) {
        this.store = store;
        this.embedded = embedded;
        this.limits = limits;
        this.metrics = metrics;
    }

    EmbeddedStore open() {
        return EmbeddedStore.open(
                Path.of(store.dataDir()), embedded, limits.rules(), EmbeddedStoreOpener::callersContext, metrics);
    }

    /** A request gets its answer on the event loop that it came from, so the thread of the store does no other work. */
    private static Executor callersContext() {
        var context = Vertx.currentContext();
        return context == null
                ? Infrastructure.getDefaultExecutor()
                : answer -> context.runOnContext(ignored -> answer.run());
    }
}
