package io.holdfast.access.file;

/**
 * What is wrong at one place of the access file.
 *
 * @param path such as {@code grants[1].allow[0].actions[2]}; empty for the whole file
 */
public record FileError(int line, String path, String problem) {
    public String sentence() {
        return "line %d: %s%s".formatted(line, path.isEmpty() ? "" : path + ": ", problem);
    }
}
