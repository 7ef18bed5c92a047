package io.holdfast.access.file;

import io.holdfast.access.model.SubjectPattern;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.Suggestions;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the subjects of grants. A subject that no issuer and no token of the file can have is an error. */
final class GrantSubjects {
    private static final String EVERYONE = "*";
    private static final String TOKEN = "token";

    private final Set<String> beginnings;
    private final Set<String> tokens;

    GrantSubjects(Set<String> issuers, Set<String> tokens) {
        this.beginnings = new TreeSet<>(issuers);
        this.beginnings.addAll(IssuerReader.OTHER_SUBJECTS);
        this.tokens = tokens;
    }

    Optional<SubjectPattern> read(Field field, Distinct distinct) {
        return field.text("a subject").filter(text -> isPossible(field, text)).map(text -> {
            distinct.add(field, text);
            return new SubjectPattern(text);
        });
    }

    private boolean isPossible(Field field, String text) {
        try {
            new SubjectPattern(text);
        } catch (InvalidInputException e) {
            field.wrong(text, e.allowed());
            return false;
        }
        if (text.equals(EVERYONE)) {
            return true;
        }
        if (text.indexOf('*') >= 0 && text.indexOf('*') < text.length() - 1) {
            field.wrong(text, "a subject with a '*' at its end only");
            return false;
        }
        var colon = text.indexOf(':');
        if (colon < 0 || colon == text.length() - 1) {
            field.wrong(
                    text, "ISSUER:sub, token:NAME, cert:SAN, or the beginning of one with the ':' and a '*' after it");
            return false;
        }
        var beginning = text.substring(0, colon);
        if (!beginnings.contains(beginning)) {
            field.errors().unknown(field.node().line(), field.path(), beginning, "the name of an issuer", beginnings);
            return false;
        }
        return !beginning.equals(TOKEN) || isToken(field, text.substring(colon + 1));
    }

    private boolean isToken(Field field, String name) {
        if (name.endsWith("*") || tokens.contains(name)) {
            return true;
        }
        var meant = Suggestions.nearest(name, tokens)
                .map(nearest -> "; did you mean token:" + nearest + "?")
                .orElse("; add it below tokens");
        field.errors().add(field, "there is no token '%s'%s".formatted(FileErrors.shown(name), meant));
        return false;
    }
}
