package io.holdfast.http;

import io.holdfast.access.AccessService;
import io.holdfast.http.access.AccessModes;
import io.holdfast.http.edge.HttpConfig;
import io.holdfast.http.wire.AboutBody;
import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.UnknownSettingBody;
import io.holdfast.kernel.KnownSettings;
import io.holdfast.kernel.UnknownSettings;
import io.holdfast.lock.hold.KeepAliveLimits;
import io.holdfast.store.StoreConfig;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Version, store, limits and clock of this replica. Answers also while the store is unavailable. */
@Path("/v1/about")
@Produces(MediaType.APPLICATION_JSON)
public class AboutResource {
    private final String version;
    private final String store;
    private final String access;
    private final AboutBody.Limits limits;
    private final InstantSource clock;
    private final List<UnknownSettingBody> unknownSettings;

    AboutResource(
            @ConfigProperty(name = "quarkus.application.version") String version,
            StoreConfig store,
            KeepAliveLimits limits,
            HttpConfig http,
            InstantSource clock,
            UnknownSettings unknown,
            AccessService access) {
        this.version = version;
        this.store = store.store().name().toLowerCase(Locale.ROOT);
        this.access = AccessModes.of(access);
        this.limits = limits(limits, http.bodyMax().asLongValue());
        this.clock = clock;
        this.unknownSettings =
                unknown.all().stream().map(AboutResource::unknown).toList();
    }

    /** Not cached: clients compare clocks by it. */
    @GET
    public Uni<Response> about() {
        var body = new AboutBody(version, store, Times.text(clock.instant()), access, limits, unknownSettings);
        return Uni.createFrom()
                .item(Response.ok(body)
                        .header(HttpHeaders.CACHE_CONTROL, "no-store")
                        .build());
    }

    private static AboutBody.Limits limits(KeepAliveLimits keep, long bodyMax) {
        var lock = keep.lock().config();
        var waiting = keep.lock().waiting();
        return new AboutBody.Limits(
                lock.ttlDefault().toMillis(),
                lock.ttlMin().toMillis(),
                lock.ttlMax().toMillis(),
                waiting.max().toMillis(),
                waiting.queueMax(),
                lock.setMax(),
                keep.hold().ttlDefault().toMillis(),
                lock.maxClockSkew().toMillis(),
                bodyMax);
    }

    private static UnknownSettingBody unknown(KnownSettings.Unknown setting) {
        return new UnknownSettingBody(setting.name(), setting.nearest().orElse(null));
    }
}
