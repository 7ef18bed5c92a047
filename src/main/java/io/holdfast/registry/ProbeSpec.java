package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.net.URI;
import java.util.Optional;

/**
 * How to tell whether an app is up.
 *
 * @param url what an HTTP probe asks; without one the app's state is unknown
 * @param workload what a Kubernetes probe looks at
 * @param confirmations how many times in a row "down" must be seen to be believed
 */
public record ProbeSpec(ProbePolicy policy, Optional<URI> url, Optional<Workload> workload, int confirmations) {
    public static final int CONFIRMATIONS_MAX = 10;
    /** Readable after "must be". */
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

    /** An absolute http or https address without credentials in it. */
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
