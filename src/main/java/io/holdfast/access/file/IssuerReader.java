package io.holdfast.access.file;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads entries of {@code issuers}. */
final class IssuerReader {
    /** The beginnings of subjects that come from no issuer. */
    static final Set<String> OTHER_SUBJECTS = Set.of("token", "cert");

    private static final List<String> KEYS =
            List.of("name", "issuer", "jwks", "audience", "algorithms", "leeway", "ca-file", "token-file");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e]{1,512}");
    private static final String PRINTABLE_WORDS = "1 to 512 printable ASCII characters without blanks";
    private static final Pattern LEEWAY = Pattern.compile("(\\d{1,3})([sm])");
    private static final String LEEWAY_WORDS = "a duration from 0s to 5m, such as 30s";

    private final Distinct names = new Distinct();
    private final Distinct issuers = new Distinct();

    Optional<TrustedIssuer> read(Field entry) {
        var fields = entry.fields(KEYS);
        var name = entry.required(fields, "name").flatMap(this::name);
        var issuer = entry.required(fields, "issuer")
                .flatMap(field -> field.matching(PRINTABLE, "the iss of its tokens, " + PRINTABLE_WORDS, issuers));
        var keys = KeySourceReader.read(entry, fields);
        var audiences = entry.required(fields, "audience").map(IssuerReader::audiences);
        var algorithms = Optional.ofNullable(fields.get("algorithms"))
                .map(IssuerReader::algorithms)
                .orElse(Set.copyOf(Algorithms.ALL));
        var leeway = Optional.ofNullable(fields.get("leeway")).flatMap(IssuerReader::leeway);
        return name.isEmpty() || issuer.isEmpty() || keys.isEmpty() || audiences.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new TrustedIssuer(name.get(), issuer.get(), keys.get(), audiences.get(), algorithms, leeway));
    }

    private Optional<String> name(Field field) {
        var name = field.matching(NAME, "1 to 64 characters of A-Z a-z 0-9 . _ -", names);
        if (name.filter(OTHER_SUBJECTS::contains).isPresent()) {
            field.errors().add(field, "must not be token or cert, which are the beginnings of other subjects");
        }
        return name;
    }

    /** One, or a list of them. */
    private static Set<String> audiences(Field field) {
        var expected = "an aud of its tokens, " + PRINTABLE_WORDS;
        if (!(field.node() instanceof YamlNode.Sequence)) {
            return field.matching(PRINTABLE, expected).map(Set::of).orElse(Set.of());
        }
        var audiences = new HashSet<String>();
        var distinct = new Distinct();
        for (var item : field.items()) {
            item.matching(PRINTABLE, expected, distinct).ifPresent(audiences::add);
        }
        return audiences;
    }

    private static Set<String> algorithms(Field field) {
        var algorithms = new HashSet<String>();
        var distinct = new Distinct();
        for (var item : field.items()) {
            item.oneOf(Algorithms.ALL, "an algorithm for signatures", distinct).ifPresent(algorithms::add);
        }
        return algorithms;
    }

    private static Optional<Duration> leeway(Field field) {
        return field.matching(LEEWAY, LEEWAY_WORDS).flatMap(text -> {
            var parts = LEEWAY.matcher(text).results().findFirst().orElseThrow();
            var number = Long.parseLong(parts.group(1));
            var leeway = parts.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
            if (leeway.compareTo(TrustedIssuer.LEEWAY_MAX) > 0) {
                field.wrong(text, LEEWAY_WORDS);
                return Optional.empty();
            }
            return Optional.of(leeway);
        });
    }

    Set<String> names() {
        return names.all();
    }
}
