package io.holdfast.http;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The page at the root: what this service is, and links to read on. */
@Path("/")
public class RootResource {
    private final String text;

    RootResource(@ConfigProperty(name = "quarkus.application.version") String version) {
        this.text =
                """
                Holdfast %s: locks over HTTP, with leases and fencing tokens, and shared databases that stop with their last app.

                /q/openapi    the API contract; ?format=json for JSON
                /v1/about     version, store, clock and limits
                /q/health     health
                /q/metrics    metrics for Prometheus

                The documentation is README.md and docs/ of the source. `holdfast --help` lists the commands.
                """
                        .formatted(version);
    }

    @GET
    public Response root() {
        return Response.ok(text, MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8")).build();
    }
}
