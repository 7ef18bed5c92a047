package io.holdfast.actuator;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.Reading;
import io.holdfast.remote.BlockingWork;
import io.holdfast.remote.Deadline;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.Failures;
import io.holdfast.remote.TooLateException;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Runs blocking calls of the AWS SDK on separate threads, with a timeout. A call that times out before a thread is free
 * is not made.
 */
final class AwsCalls {
    /** Start of the SDK's message if no provider has credentials. The rest only lists the providers. */
    private static final String NO_PROVIDER = "Unable to load credentials from any of the providers";

    /** Errors of status 4xx that are transient: AWS lacks capacity, or the credentials are about to be renewed. */
    private static final Set<String> TRANSIENT = Set.of(
            "InsufficientInstanceCapacity",
            "InsufficientDBInstanceCapacity",
            "InsufficientDBClusterCapacityFault",
            "ExpiredToken",
            "ExpiredTokenException",
            "RequestExpired");

    private final Executor threads;
    private final AwsCredentialsProvider credentials;
    private final Duration timeout;

    AwsCalls(Executor threads, AwsClients.Access access) {
        this.threads = threads;
        this.credentials = access.credentials();
        this.timeout = access.timeout();
    }

    Uni<Outcome> order(Supplier<Outcome> calls) {
        return run(calls, failed -> failed);
    }

    Uni<Reading> read(Supplier<Reading> calls) {
        return run(calls, Reading::unknown);
    }

    private <T> Uni<T> run(Supplier<T> calls, Function<Outcome, T> onFailed) {
        return Uni.createFrom()
                .deferred(() -> inTime(Deadline.in(timeout), calls, onFailed))
                .ifNoItem()
                .after(timeout)
                .fail()
                .onFailure(AwsCalls::isTimeoutOrRejected)
                .recoverWithItem(
                        failure -> onFailed.apply(new Outcome.Retry("aws: " + Failures.sentence(failure, timeout))))
                // The continuation must not occupy a thread for AWS calls.
                .emitOn(Infrastructure.getDefaultExecutor());
    }

    /** Getting credentials may take a request to AWS. It counts towards the deadline, so that no order is sent late. */
    private <T> Uni<T> inTime(Deadline deadline, Supplier<T> calls, Function<Outcome, T> onFailed) {
        return BlockingWork.run(threads, deadline, () -> missingCredentials(onFailed))
                .chain(missing -> missing.map(outcome -> Uni.createFrom().item(outcome))
                        .orElseGet(() -> BlockingWork.run(threads, deadline, () -> attempt(calls, onFailed))));
    }

    /** Missing credentials are always a retry: no order was sent, so AWS has not refused it. */
    private <T> Optional<T> missingCredentials(Function<Outcome, T> onFailed) {
        try {
            credentials.resolveCredentials();
            return Optional.empty();
        } catch (SdkException e) {
            return Optional.of(onFailed.apply(new Outcome.Retry("aws: no credentials: " + whyMissing(e))));
        }
    }

    private static String whyMissing(SdkException failure) {
        return String.valueOf(failure.getMessage()).startsWith(NO_PROVIDER)
                ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE,"
                        + " or run Holdfast with an IAM role"
                : Excerpt.of(failure);
    }

    private static boolean isTimeoutOrRejected(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof TooLateException
                || failure instanceof RejectedExecutionException;
    }

    private static <T> T attempt(Supplier<T> calls, Function<Outcome, T> onFailed) {
        try {
            return calls.get();
        } catch (SdkException e) {
            return onFailed.apply(failed(e));
        }
    }

    /** An error of AWS is permanent unless it is known to be transient. */
    static Outcome failed(SdkException failure) {
        if (!(failure instanceof AwsServiceException answer) || answer.awsErrorDetails() == null) {
            return new Outcome.Retry("aws: " + Excerpt.of(failure));
        }
        var isTransient = answer.isThrottlingException()
                || answer.isClockSkewException()
                || answer.statusCode() >= 500
                || TRANSIENT.contains(code(answer));
        return isTransient ? new Outcome.Retry(reason(answer)) : new Outcome.Refused(reason(answer));
    }

    static String code(AwsServiceException answer) {
        return answer.awsErrorDetails() == null
                ? ""
                : String.valueOf(answer.awsErrorDetails().errorCode());
    }

    static String message(AwsServiceException answer) {
        return answer.awsErrorDetails() == null
                ? ""
                : String.valueOf(answer.awsErrorDetails().errorMessage());
    }

    static String reason(AwsServiceException answer) {
        return Excerpt.of(code(answer) + ": " + message(answer));
    }
}
