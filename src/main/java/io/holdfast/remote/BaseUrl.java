package io.holdfast.remote;

import java.net.URI;
import java.util.regex.Pattern;

/** A URL from a setting, to which paths are appended. */
public final class BaseUrl {
    private static final int LENGTH_MAX = 2048;
    private static final int PORT_MAX = 65_535;

    /** Without a look-up: the answer of a name server could be forged. */
    private static final Pattern LOOPBACK =
            Pattern.compile("(.*\\.)?localhost\\.?|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]", Pattern.CASE_INSENSITIVE);

    private final URI base;

    private BaseUrl(URI base) {
        this.base = base;
    }

    /** @throws IllegalStateException with the key but without the URL, which may contain a secret */
    public static BaseUrl of(String key, URI base) {
        var http = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
        if (!http
                || base.getHost() == null
                || base.getPort() > PORT_MAX
                || base.getRawUserInfo() != null
                || base.getRawQuery() != null
                || base.getRawFragment() != null
                || base.toString().length() > LENGTH_MAX) {
            throw new IllegalStateException(key + " must be an http or https URL of at most " + LENGTH_MAX
                    + " characters, without credentials, query and fragment");
        }
        return new BaseUrl(URI.create(base.toString().replaceFirst("/+$", "")));
    }

    public URI below(String pathAndQuery) {
        return URI.create(base + pathAndQuery);
    }

    public boolean isSecure() {
        return "https".equals(base.getScheme());
    }

    /** Whether it names this machine: {@code localhost} or a loopback address. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(base.getHost()).matches();
    }
}
