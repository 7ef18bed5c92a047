package io.holdfast.access.file;

import io.holdfast.access.model.AccessPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads an access file. Everything that it does not know is an error. */
public final class AccessFileReader {
    private static final String ISSUERS = "issuers";
    private static final String TOKENS = "tokens";
    private static final String GRANTS = "grants";
    private static final int ISSUERS_MAX = 100;
    private static final int TOKENS_MAX = 1000;
    private static final int GRANTS_MAX = 5000;

    private final FileErrors errors = new FileErrors();

    private AccessFileReader() {}

    public sealed interface Result {
        record Usable(AccessFile file) implements Result {}

        /** @param errors at least one, by line */
        record Broken(List<FileError> errors) implements Result {
            public Broken {
                errors = List.copyOf(errors);
            }

            /** The first error, and how many more there are. */
            public String summary() {
                var more = errors.size() - 1;
                return errors.getFirst().sentence()
                        + (more == 0 ? "" : " (and %d more %s)".formatted(more, more == 1 ? "error" : "errors"));
            }
        }
    }

    public static Result read(String text) {
        try {
            return new AccessFileReader().read(YamlDocument.read(text));
        } catch (BrokenYamlException e) {
            return new Result.Broken(List.of(new FileError(e.line(), "", e.getMessage())));
        }
    }

    private Result read(YamlNode root) {
        var file = new Field("", root, errors);
        var sections = file.fields(List.of(ISSUERS, TOKENS, GRANTS));
        var issuerReader = new IssuerReader();
        var issuers = all(sections, ISSUERS, ISSUERS_MAX, issuerReader::read);
        var tokenReader = new TokenReader();
        var tokens = all(sections, TOKENS, TOKENS_MAX, tokenReader::read);
        var grants =
                all(sections, GRANTS, GRANTS_MAX, new GrantReader(issuerReader.names(), tokenReader.names())::read);
        file.required(sections, GRANTS);
        return errors.isEmpty()
                ? new Result.Usable(new AccessFile(issuers, tokens, new AccessPolicy(grants)))
                : new Result.Broken(errors.sorted());
    }

    private <T> List<T> all(Map<String, Field> sections, String name, int max, Function<Field, Optional<T>> read) {
        var section = sections.get(name);
        if (section == null) {
            return List.of();
        }
        var items = section.items();
        if (items.size() > max) {
            errors.add(section, "has %d entries; at most %d are allowed".formatted(items.size(), max));
            return List.of();
        }
        return items.stream().flatMap(item -> read.apply(item).stream()).toList();
    }
}
