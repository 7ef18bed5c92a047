package io.holdfast.access.file;

/** The text is not the YAML that an access file may have. */
final class BrokenYamlException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;

    BrokenYamlException(int line, String problem) {
        super(problem);
        this.line = line;
    }

    int line() {
        return line;
    }
}
