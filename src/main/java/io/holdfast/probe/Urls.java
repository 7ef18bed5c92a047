package io.holdfast.probe;

import io.holdfast.kernel.InvalidInputException;
import io.holdfast.registry.ProbeSpec;
import java.net.URI;

/** Addresses below a base that was given in a setting. */
final class Urls {
    private Urls() {}

    static URI below(URI base, String pathAndQuery) {
        return URI.create(base.toString().replaceFirst("/+$", "") + pathAndQuery);
    }

    /** A base that nothing can be put below is found at start, by its key. */
    static void checkBase(String key, URI base) {
        try {
            ProbeSpec.checkUrl(key, base);
        } catch (InvalidInputException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        if (base.getRawQuery() != null || base.getRawFragment() != null) {
            throw new IllegalStateException(key + " must be a URL without query and fragment");
        }
    }
}
