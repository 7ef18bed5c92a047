package io.holdfast.access.model;

import io.holdfast.kernel.Subject;
import io.holdfast.kernel.Text;

/** A subject in a grant: exact, or the beginning of subjects with a trailing {@code *}. */
public record SubjectPattern(String text) {
    private static final String REST = "*";

    public SubjectPattern {
        Text.printable("subject", text, Subject.LENGTH_MAX);
    }

    public boolean matches(Subject subject) {
        return isPrefix()
                ? subject.value().startsWith(text.substring(0, text.length() - REST.length()))
                : subject.value().equals(text);
    }

    private boolean isPrefix() {
        return text.endsWith(REST);
    }
}
