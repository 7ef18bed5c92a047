package io.holdfast.http;

import io.holdfast.kernel.InvalidInputException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.Locale;
import org.jboss.resteasy.reactive.RestQuery;

/** Serves the contract: {@code contract/openapi.yaml}, and the same as JSON. */
@Path("/q/openapi")
public class ContractResource {
    private enum Format {
        YAML("application/yaml;charset=UTF-8"),
        JSON("application/json;charset=UTF-8");

        private final String mediaType;

        Format(String mediaType) {
            this.mediaType = mediaType;
        }

        InputStream open() {
            return ContractResource.class.getResourceAsStream("/contract/openapi." + name().toLowerCase(Locale.ROOT));
        }
    }

    /** Runs on a worker thread, because it reads a file. */
    @GET
    public Response contract(@RestQuery String format, @HeaderParam(HttpHeaders.ACCEPT) String accept) {
        var wanted = format == null ? accepted(accept) : named(format);
        return Response.ok(wanted.open(), wanted.mediaType).build();
    }

    private static Format named(String format) {
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "json" -> Format.JSON;
            case "yaml" -> Format.YAML;
            default -> throw new InvalidInputException("format", "json or yaml");
        };
    }

    private static Format accepted(String accept) {
        return accept != null && accept.contains(MediaType.APPLICATION_JSON) ? Format.JSON : Format.YAML;
    }
}
