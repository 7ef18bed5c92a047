package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.net.URI;
import java.util.Optional;

/**
 * How to probe an app.
 *
 * @param url for HTTP probes; without it the app is UNKNOWN
 * @param workload for Kubernetes probes
 * @param confirmations how many DOWN results in a row make the app DOWN
 */
public record ProbeSpec(ProbePolicy policy, Optional<URI> url, Optional<Workload> workload, int confirmations) {
    public static final int CONFIRMATIONS_MAX = 10;
    /** Follows "must be". */
    public static final String CONFIRMATIONS_ALLOWED = "a whole number from 1 to " + CONFIRMATIONS_MAX;

    private static final int URL_LENGTH_MAX = 2048;
    private static final int PORT_MAX = 65_535;

    public ProbeSpec {
        url.ifPresent(given -> checkUrl("url", given));
        if (policy == ProbePolicy.KUBERNETES && workload.isEmpty()) {
            throw new InvalidInputException("kubernetes", "given when probe is kubernetes");
        }
        if (confirmations < 1 || confirmations > CONFIRMATIONS_MAX) {
            throw new InvalidInputException("confirmations", CONFIRMATIONS_ALLOWED);
        }
    }

    /** Accepts absolute http and https URLs without credentials. */
    public static URI checkUrl(String field, URI url) {
        var scheme = url.getScheme();
        var http = "http".equals(scheme) || "https".equals(scheme);
        if (!http
                || url.getHost() == null
                || url.getRawUserInfo() != null
                || url.getPort() > PORT_MAX
                || url.toString().length() > URL_LENGTH_MAX) {
            throw new InvalidInputException(
                    field, "an http or https URL of at most " + URL_LENGTH_MAX + " characters, without credentials");
        }
        return url;
    }
}
