package io.holdfast.boot;

import io.holdfast.job.port.JobStore;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreConfig;
import io.holdfast.telemetry.metrics.LockMetrics;
import io.holdfast.telemetry.metrics.MeteredLockStore;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Opens the store that the configuration names, and adds metrics and spans. */
@Singleton
public class Stores {
    private static final Logger LOG = Logger.getLogger(Stores.class);

    private final LockStore locks;
    private final RegistryStore registry;
    private final PowerStore power;
    private final JobStore jobs;
    private final LifecycleStore lifecycle;
    private final StoreCheck check;
    private final Runnable close;

    Stores(
            StoreConfig config,
            EmbeddedStoreOpener embedded,
            DynamoDbStoreOpener dynamoDb,
            LockMetrics metrics,
            Tracing tracing) {
        switch (config.store()) {
            case EMBEDDED -> {
                var store = embedded.open();
                locks = tracing.around(new MeteredLockStore(store.locks(), metrics));
                registry = tracing.around(store.registry());
                power = tracing.around(store.power());
                jobs = tracing.around(store.jobs());
                lifecycle = store.lifecycle();
                check = store.check();
                close = store::close;
            }
            case DYNAMODB -> {
                var store = dynamoDb.open();
                locks = tracing.around(new MeteredLockStore(store.locks(), metrics));
                registry = tracing.around(store.registry());
                power = tracing.around(store.power());
                jobs = tracing.around(store.jobs());
                lifecycle = store.lifecycle();
                check = store;
                close = () -> {};
            }
            default -> throw new IllegalStateException("No such store: " + config.store());
        }
        LOG.infof("Store chosen store=%s", config.store());
    }

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
    JobStore jobs() {
        return jobs;
    }

    @Produces
    @Singleton
    LifecycleStore lifecycle() {
        return lifecycle;
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
}
