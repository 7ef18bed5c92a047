package io.holdfast.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.CliException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** Waits for the end of a job, and reports each change of its status and progress. */
final class JobFollower {
    private static final String SUCCEEDED = "SUCCEEDED";
    private static final Set<String> ENDED = Set.of(SUCCEEDED, "FAILED", "CANCELLED", "DEAD");

    private final ApiClient api;
    private final Consumer<String> notes;
    private final Duration every;
    private String reported = "";

    JobFollower(ApiClient api, Consumer<String> notes, Duration every) {
        this.api = api;
        this.notes = notes;
        this.every = every;
    }

    static boolean hasSucceeded(JsonNode job) {
        return status(job).equals(SUCCEEDED);
    }

    /** @return the job after its end */
    JsonNode follow(JsonNode submitted) throws InterruptedException {
        var id = submitted.path("id").asText();
        var job = submitted;
        report(id, sentence(job));
        while (!ENDED.contains(status(job))) {
            Thread.sleep(every);
            try {
                job = api.get(JobsCommand.path(id)).orFail().body();
                report(id, sentence(job));
            } catch (CliException failure) {
                if (!failure.isTemporary()) {
                    throw failure;
                }
                report(id, failure.getMessage() + " Retrying.");
            }
        }
        return job;
    }

    private void report(String id, String sentence) {
        if (!sentence.equals(reported)) {
            notes.accept("Job %s: %s".formatted(id, sentence));
            reported = sentence;
        }
    }

    private static String status(JsonNode job) {
        return job.path("status").asText();
    }

    private static String sentence(JsonNode job) {
        var sentence = new StringBuilder(status(job));
        var attempt = job.path("attempt").asInt();
        if (attempt > 0) {
            sentence.append(", attempt ").append(attempt);
        }
        if (job.at("/progress/percent").isNumber()) {
            sentence.append(", ").append(job.at("/progress/percent").asInt()).append('%');
        }
        append(sentence, ", ", job.at("/progress/message"));
        append(sentence, ", next attempt at ", job.path("next_attempt_at"));
        append(sentence, ", ", job.path("error_code"));
        append(sentence, ": ", job.path("message"));
        return sentence.append('.').toString();
    }

    private static void append(StringBuilder sentence, String before, JsonNode text) {
        if (text.isTextual()) {
            sentence.append(before).append(text.asText().replaceFirst("\\.$", ""));
        }
    }
}
