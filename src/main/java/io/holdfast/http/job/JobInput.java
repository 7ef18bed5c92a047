package io.holdfast.http.job;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.http.edge.Parameters;
import io.holdfast.http.wire.job.CompleteJobBody;
import io.holdfast.http.wire.job.CreateClusterBody;
import io.holdfast.http.wire.job.FailJobBody;
import io.holdfast.http.wire.job.ProgressBody;
import io.holdfast.http.wire.job.SubmitJobBody;
import io.holdfast.job.JobService.NewCluster;
import io.holdfast.job.model.ClusterId;
import io.holdfast.job.model.ClusterLabels;
import io.holdfast.job.model.ClusterName;
import io.holdfast.job.model.JobError;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Progress;
import io.holdfast.job.port.Finish;
import io.holdfast.job.port.NewJob;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.lock.model.FencingToken;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns the bodies of requests into commands. An error names the field as in the body. */
final class JobInput {
    private static final String NO_PARAMS = "{}";

    private JobInput() {}

    static NewCluster cluster(CreateClusterBody body) {
        var name = new ClusterName(
                required("name", body.name()),
                required("platform", body.platform()),
                required("base_domain", body.baseDomain()));
        return new NewCluster(
                optional(body.id(), ClusterId::new),
                name,
                labels(body.labels()),
                Parameters.duration("ttl", body.ttl()));
    }

    static NewJob job(SubmitJobBody body) {
        return new NewJob(
                JobType.of("type", required("type", body.type())),
                JsonObjects.text("params", body.params()).orElse(NO_PARAMS),
                Optional.ofNullable(body.idempotencyKey()),
                Parameters.duration("deadline", body.deadline()));
    }

    /** @param types null for all */
    static Set<JobType> types(List<String> types) {
        if (types == null) {
            return Set.of();
        }
        try {
            var all = types.stream().map(type -> JobType.of("types", type)).collect(Collectors.toSet());
            if (!all.isEmpty()) {
                return all;
            }
        } catch (InvalidInputException e) {
            // Refused below.
        }
        throw new InvalidInputException(
                "types", "left out for all types, or a list of some of " + Arrays.toString(JobType.values()));
    }

    static ClusterLabels labels(Map<String, String> labels) {
        return labels == null ? ClusterLabels.NONE : new ClusterLabels(labels);
    }

    static long epoch(Long epoch) {
        if (epoch == null || epoch < 1) {
            throw new InvalidInputException("epoch", FencingToken.ALLOWED);
        }
        return epoch;
    }

    static Optional<Progress> progress(ProgressBody body) {
        return Optional.ofNullable(body)
                .map(given -> new Progress(Optional.ofNullable(given.percent()), Optional.ofNullable(given.message())));
    }

    static Finish finish(CompleteJobBody body) {
        return new Finish.Complete(JsonObjects.text("result", body.result()));
    }

    static Finish finish(FailJobBody body) {
        var error = new JobError(required("error_code", body.errorCode()), Optional.ofNullable(body.message()));
        if (body.retryable() == null) {
            throw new InvalidInputException("retryable", "true or false");
        }
        return new Finish.Fail(error, body.retryable());
    }

    /** The cluster in a query, where the parameter has another name than the field of a cluster. */
    static ClusterId cluster(String text) {
        try {
            return new ClusterId(text);
        } catch (InvalidInputException e) {
            throw new InvalidInputException("cluster", e.allowed());
        }
    }
}
