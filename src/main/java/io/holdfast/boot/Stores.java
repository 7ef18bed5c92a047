package io.holdfast.boot;

import io.holdfast.lock.LockLimits;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreConfig;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.store.embedded.EmbeddedConfig;
import io.holdfast.store.embedded.EmbeddedDatabase;
import io.holdfast.store.embedded.EmbeddedStore;
import io.holdfast.telemetry.metrics.LockMetrics;
import io.holdfast.telemetry.metrics.MeteredLockStore;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Chooses the store, at run time and nowhere else. */
@Singleton
public class Stores {
    private static final Logger LOG = Logger.getLogger(Stores.class);
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private final LockStore locks;
    private final RegistryStore registry;
    private final PowerStore power;
    private final StoreCheck check;
    private final Runnable close;

    Stores(Parts parts, Instance<DynamoDbAsyncClient> dynamoDb, ServiceClock clock, Watchers watchers) {
        var metrics = watchers.metrics();
        var tracing = watchers.tracing();
        var config = parts.store();
        switch (config.store()) {
            case EMBEDDED -> {
                var store = EmbeddedStore.open(
                        Path.of(config.dataDir()),
                        parts.embedded(),
                        parts.limits().rules(),
                        new EmbeddedDatabase.Surroundings(Stores::callersContext, metrics));
                locks = tracing.around(new MeteredLockStore(store.locks(), metrics));
                registry = tracing.around(store.registry());
                power = tracing.around(store.power());
                check = store.check();
                close = store::close;
            }
            case DYNAMODB -> {
                var store = new DynamoDbStore(
                        dynamoDb.get(),
                        config.table(),
                        parts.dynamoDb(),
                        parts.limits().rules(),
                        new DynamoDbStore.Surroundings(clock.machine(), metrics));
                clock.correctBy(store::clockCorrection);
                // Starting up is the one moment when nobody waits on an event loop.
                store.start().await().atMost(START_MAX);
                locks = tracing.around(new MeteredLockStore(store.locks(), metrics));
                registry = tracing.around(store.registry());
                power = tracing.around(store.power());
                check = store;
                close = () -> {};
            }
            default -> throw new IllegalStateException("No such store: " + config.store());
        }
        LOG.infof("Store chosen store=%s", config.store());
    }

    /** The configuration of all stores, together with the limits of what they keep. */
    @Singleton
    record Parts(StoreConfig store, EmbeddedConfig embedded, DynamoDbConfig dynamoDb, LockLimits limits) {}

    /** Who sees what is asked of a store. */
    @Singleton
    record Watchers(LockMetrics metrics, Tracing tracing) {}

    @Produces
    @Singleton
    LockStore locks() {
        return locks;
    }

    @Produces
    @Singleton
    RegistryStore registry() {
        return registry;
    }

    @Produces
    @Singleton
    PowerStore power() {
        return power;
    }

    @Produces
    @Singleton
    StoreCheck check() {
        return check;
    }

    @PreDestroy
    void close() {
        close.run();
    }

    /** A request gets its answer on the event loop it came from, and never works on the store's own thread. */
    private static Executor callersContext() {
        var context = Vertx.currentContext();
        return context == null
                ? Infrastructure.getDefaultExecutor()
                : answer -> context.runOnContext(ignored -> answer.run());
    }
}
