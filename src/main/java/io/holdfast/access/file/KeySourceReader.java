package io.holdfast.access.file;

import io.holdfast.access.file.TrustedIssuer.KeySource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads where the keys of an issuer are: {@code jwks}, {@code ca-file} and {@code token-file}. */
final class KeySourceReader {
    private static final int URL_LENGTH_MAX = 2048;
    private static final int PORT_MAX = 65_535;
    private static final String URL_WORDS = "an https URL of at most " + URL_LENGTH_MAX
            + " characters without credentials and fragment; http only for localhost, 127.0.0.1 and [::1]";
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.0\\.0\\.1|\\[::1]");

    private KeySourceReader() {}

    static Optional<KeySource> read(Field entry, Map<String, Field> fields) {
        var jwks = entry.required(fields, "jwks").flatMap(KeySourceReader::url);
        var caFile = Optional.ofNullable(fields.get("ca-file")).flatMap(KeySourceReader::file);
        var tokenFile = Optional.ofNullable(fields.get("token-file")).flatMap(KeySourceReader::file);
        if (caFile.isPresent() && jwks.filter(url -> !isHttps(url)).isPresent()) {
            var field = fields.get("ca-file");
            field.errors().add(field, "has no use with http; remove it, or use https in jwks");
        }
        return jwks.map(url -> new KeySource(url, caFile, tokenFile));
    }

    private static Optional<URI> url(Field field) {
        return field.text(URL_WORDS).flatMap(text -> {
            var url = parsed(text).filter(one -> isHttps(one) || isLoopback(one));
            if (url.isEmpty()) {
                field.wrong(text, URL_WORDS);
            }
            return url;
        });
    }

    private static Optional<URI> parsed(String text) {
        try {
            var url = new URI(text);
            return Optional.of(url)
                    .filter(one -> text.length() <= URL_LENGTH_MAX)
                    .filter(one -> one.getHost() != null && one.getPort() <= PORT_MAX && one.getPort() != 0)
                    .filter(one -> one.getRawUserInfo() == null && one.getRawFragment() == null);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static boolean isHttps(URI url) {
        return "https".equals(url.getScheme());
    }

    private static boolean isLoopback(URI url) {
        return "http".equals(url.getScheme()) && LOOPBACK.matcher(url.getHost()).matches();
    }

    private static Optional<Path> file(Field field) {
        var expected = "an absolute path";
        return field.text(expected).flatMap(text -> {
            var path = path(text).filter(Path::isAbsolute);
            if (path.isEmpty()) {
                field.wrong(text, expected);
            }
            return path;
        });
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
