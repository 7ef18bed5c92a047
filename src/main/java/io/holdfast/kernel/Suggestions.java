package io.holdfast.kernel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known word that a misspelt one most probably stands for. */
public final class Suggestions {
    private static final int SLIPS_MAX = 2;

    private Suggestions() {}

    /** The known word with the fewest slips, if there are at most two of them and at most half as many as letters. */
    public static Optional<String> nearest(String typed, Collection<String> known) {
        return known.stream()
                .filter(word -> Math.abs(typed.length() - word.length()) <= SLIPS_MAX)
                .filter(word -> slips(typed, word) <= Math.min(SLIPS_MAX, word.length() / 2))
                .min(Comparator.comparingInt((String word) -> slips(typed, word))
                        .thenComparing(word -> word));
    }

    /** How many letters were added, left out, mistaken or swapped with their neighbour. */
    private static int slips(String typed, String meant) {
        var slips = new int[typed.length() + 1][meant.length() + 1];
        for (var i = 0; i <= typed.length(); i++) {
            for (var j = 0; j <= meant.length(); j++) {
                if (i == 0 || j == 0) {
                    slips[i][j] = i + j;
                    continue;
                }
                var mistaken = typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1;
                slips[i][j] = Math.min(slips[i - 1][j - 1] + mistaken, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
                if (i > 1
                        && j > 1
                        && typed.charAt(i - 1) == meant.charAt(j - 2)
                        && typed.charAt(i - 2) == meant.charAt(j - 1)) {
                    slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
                }
            }
        }
        return slips[typed.length()][meant.length()];
    }
}
