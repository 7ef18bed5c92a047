package io.holdfast.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of access control, for health, metrics and {@code doctor}.
 *
 * @param loadedAt when the version of the file in force was read; empty if access control is off
 * @param fileProblem why the present content of the file is not in force, in one line
 * @param issuers in the order of the access file
 */
public record AccessStatus(
        boolean on, Optional<Instant> loadedAt, Optional<FileProblem> fileProblem, List<IssuerStatus> issuers) {
    public AccessStatus {
        issuers = List.copyOf(issuers);
    }

    public record FileProblem(String sentence, Instant since) {}

    /**
     * @param keys how many keys are known
     * @param problem why the last fetch of keys failed
     */
    public record IssuerStatus(String name, int keys, Optional<Instant> fetchedAt, Optional<String> problem) {}
}
