package io.holdfast.kernel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that is most similar to a misspelt one. */
public final class Suggestions {
    private static final int EDITS_MAX = 2;

    private Suggestions() {}

    /** The known word with the fewest edits: at most two, and at most half the length of the word. */
    public static Optional<String> nearest(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> Math.abs(typed.length() - word.length()) <= EDITS_MAX)
                .filter(word -> edits(typed, word) <= Math.min(EDITS_MAX, word.length() / 2))
                .min(Comparator.comparingInt((String word) -> edits(typed, word))
                        .thenComparing(word -> word));
    }

    /** Counts letters that were inserted, deleted, replaced or swapped with their neighbour. */
    private static int edits(String typed, String word) {
        var edits = new int[typed.length() + 1][word.length() + 1];
        for (var i = 0; i <= typed.length(); i++) {
            for (var j = 0; j <= word.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                var replaced = typed.charAt(i - 1) == word.charAt(j - 1) ? 0 : 1;
                edits[i][j] = Math.min(edits[i - 1][j - 1] + replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
                if (i > 1
                        && j > 1
                        && typed.charAt(i - 1) == word.charAt(j - 2)
                        && typed.charAt(i - 2) == word.charAt(j - 1)) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[typed.length()][word.length()];
    }
}
