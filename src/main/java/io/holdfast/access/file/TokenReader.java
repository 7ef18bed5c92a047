package io.holdfast.access.file;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads entries of {@code tokens}. */
final class TokenReader {
    private static final List<String> KEYS = List.of("name", "sha256");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

    /** Of no bytes at all: what a hash command prints if its input was empty. */
    private static final String SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    private final Distinct names = new Distinct();
    private final Distinct hashes = new Distinct();

    Optional<StaticToken> read(Field entry) {
        var fields = entry.fields(KEYS);
        var name = entry.required(fields, "name")
                .flatMap(field -> field.matching(NAME, "1 to 64 characters of A-Z a-z 0-9 . _ -", names));
        var sha256 = entry.required(fields, "sha256").flatMap(this::hash);
        return name.flatMap(value -> sha256.map(hash -> new StaticToken(value, hash)));
    }

    private Optional<String> hash(Field field) {
        var expected = "the SHA-256 of the token in 64 hexadecimal digits, as holdfast auth hash prints it";
        var hash = field.matching(SHA256, expected).map(text -> text.toLowerCase(Locale.ROOT));
        hash.ifPresent(text -> hashes.add(field, text));
        if (hash.filter(SHA256_OF_NOTHING::equals).isPresent()) {
            field.errors().add(field, "is the SHA-256 of an empty token; hash the token itself");
        }
        return hash;
    }

    Set<String> names() {
        return names.all();
    }
}
