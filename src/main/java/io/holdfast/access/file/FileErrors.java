package io.holdfast.access.file;

import io.holdfast.kernel.Suggestions;
import io.holdfast.kernel.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Collects the errors of one file, so that one check shows all of them. */
final class FileErrors {
    private static final int ERRORS_MAX = 100;
    private static final int SHOWN_MAX = 80;

    private final List<FileError> all = new ArrayList<>();

    void add(int line, String path, String problem) {
        if (all.size() < ERRORS_MAX) {
            all.add(new FileError(line, path, problem));
        }
    }

    void add(Field field, String problem) {
        add(field.node().line(), field.path(), problem);
    }

    /** A word that is not one of the known ones. Says which is the nearest, and all. */
    void unknown(int line, String path, String word, String what, Collection<String> known) {
        var meant = Suggestions.nearest(word, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse(";");
        add(line, path, "'%s' is not %s%s allowed: %s".formatted(shown(word), what, meant, String.join(", ", known)));
    }

    /** Part of the file in an error: on one line and not too long. */
    static String shown(String text) {
        return Text.cleaned(text, SHOWN_MAX);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<FileError> sorted() {
        return all.stream().sorted(Comparator.comparingInt(FileError::line)).toList();
    }
}
