package io.holdfast.boot;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What the meters of the HTTP server show. */
@Singleton
public class HttpMeters {
    static final String REQUESTS = "http.server.requests";

    /**
     * A request that the client resets before it is routed has its path as a tag. That may be the name of a lock, and there
     * may be any number of them.
     */
    @Produces
    @Singleton
    MeterFilter withoutPathsOfResetRequests() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                return id.getName().equals(REQUESTS) && "RESET".equals(id.getTag("status"))
                        ? id.replaceTags(Tags.of(id.getTags()).and("uri", "UNKNOWN"))
                        : id;
            }
        };
    }
}
