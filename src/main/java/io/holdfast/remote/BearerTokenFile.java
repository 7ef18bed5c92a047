package io.holdfast.remote;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A file with a bearer token.
 *
 * @param key the setting that names it
 */
public record BearerTokenFile(String key, Path file) {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");

    /** @throws UnusableSettingException if the file cannot be read or has no token */
    public String token() {
        var token = Authorities.read(key, file).strip();
        // The HTTP client would put an invalid token into its error message.
        if (!TOKEN.matcher(token).matches()) {
            throw new UnusableSettingException(key + " holds no token");
        }
        return token;
    }
}
