package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An RFC 9457 problem. {@code detail} is one sentence a person can act on; programs look at {@code code}. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Problem")
public record ProblemBody(
        @Schema(examples = "urn:holdfast:problem:lock-conflict") String type,
        @Schema(examples = "Lock conflict") String title,
        @Schema(examples = "409") int status,
        @Schema(
                        examples =
                                "Execution blocked: lock 'terraform-prod' held by execution-abc123 until 2026-01-05T14:32:15Z")
                String detail,
        @Schema(examples = "lock-conflict") String code,
        @Schema(description = "The offending field, with invalid-input") String field,
        @Schema(description = "What would be accepted, with invalid-input") String allowed,
        @Schema(description = "The lock as it stands, where one is in the way") LockBody lock,
        @Schema(description = "How many wait for it, with lock-conflict") Integer waiting,
        @Schema(description = "The apps in the way, with database-in-use") List<String> apps) {

    public static final String MEDIA_TYPE = "application/problem+json";
    private static final String TYPE_PREFIX = "urn:holdfast:problem:";

    public static ProblemBody of(int status, String code, String title, String detail) {
        return new ProblemBody(TYPE_PREFIX + code, title, status, detail, code, null, null, null, null, null);
    }

    public ProblemBody withField(String name, String accepted) {
        return new ProblemBody(type, title, status, detail, code, name, accepted, lock, waiting, apps);
    }

    public ProblemBody withLock(LockBody standing) {
        return new ProblemBody(type, title, status, detail, code, field, allowed, standing, waiting, apps);
    }

    public ProblemBody withWaiting(int waiters) {
        return new ProblemBody(type, title, status, detail, code, field, allowed, lock, waiters, apps);
    }

    public ProblemBody withApps(List<String> names) {
        return new ProblemBody(type, title, status, detail, code, field, allowed, lock, waiting, names);
    }
}
