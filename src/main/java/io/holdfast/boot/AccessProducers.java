package io.holdfast.boot;

import io.holdfast.access.AccessConfig;
import io.holdfast.access.AccessLimits;
import io.holdfast.access.AccessModeConfig;
import io.holdfast.access.AccessService;
import io.holdfast.access.token.JwksClient;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Creates access control. */
final class AccessProducers {
    @Produces
    @Singleton
    AccessLimits limits(AccessConfig config) {
        return new AccessLimits(config);
    }

    @Produces
    @Singleton
    AccessService access(AccessModeConfig mode, AccessLimits limits, InstantSource clock, Vertx vertx) {
        var keys = new JwksClient(
                vertx,
                task -> Infrastructure.getDefaultExecutor().execute(task),
                limits.jwksTimeout(),
                limits.jwksBodyMax());
        return new AccessService(mode, limits, keys, clock);
    }
}
