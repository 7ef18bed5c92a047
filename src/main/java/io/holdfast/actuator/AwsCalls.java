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
 * Blocking calls of the AWS SDK, on threads of their own and bounded in time. Calls that have waited for a thread until
 * their time was over are not made.
 */
final class AwsCalls {
    /** How the SDK begins when no source has credentials. What follows lists every source and is no help. */
    private static final String NOWHERE = "Unable to load credentials from any of the providers";

    /** Errors of status 4xx that pass by themselves: AWS is full, or our credentials are about to be renewed. */
    private static final Set<String> PASSING = Set.of(
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

    Uni<Reading> look(Supplier<Reading> calls) {
        return run(calls, Reading::unknown);
    }

    private <T> Uni<T> run(Supplier<T> calls, Function<Outcome, T> otherwise) {
        return Uni.createFrom()
                .deferred(() -> inTime(Deadline.in(timeout), calls, otherwise))
                .ifNoItem()
                .after(timeout)
                .fail()
                .onFailure(AwsCalls::isWithoutAnswer)
                .recoverWithItem(
                        failure -> otherwise.apply(new Outcome.Retry("aws: " + Failures.sentence(failure, timeout))))
                // Whoever goes on from here must not keep a thread from the next call.
                .emitOn(Infrastructure.getDefaultExecutor());
    }

    /** AWS may have to give us credentials first. However long that takes, an order does not leave late for it. */
    private <T> Uni<T> inTime(Deadline deadline, Supplier<T> calls, Function<Outcome, T> otherwise) {
        return BlockingWork.run(threads, deadline, () -> missingCredentials(otherwise))
                .chain(missing -> missing.map(outcome -> Uni.createFrom().item(outcome))
                        .orElseGet(() -> BlockingWork.run(threads, deadline, () -> attempt(calls, otherwise))));
    }

    /** Without them nothing was asked for, so nothing is refused, whatever is said to be wrong with us. */
    private <T> Optional<T> missingCredentials(Function<Outcome, T> otherwise) {
        try {
            credentials.resolveCredentials();
            return Optional.empty();
        } catch (SdkException e) {
            return Optional.of(otherwise.apply(new Outcome.Retry("aws: no credentials: " + whyMissing(e))));
        }
    }

    private static String whyMissing(SdkException failure) {
        return String.valueOf(failure.getMessage()).startsWith(NOWHERE)
                ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE,"
                        + " or run Holdfast where there is a role"
                : Excerpt.of(failure);
    }

    private static boolean isWithoutAnswer(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof TooLateException
                || failure instanceof RejectedExecutionException;
    }

    private static <T> T attempt(Supplier<T> calls, Function<Outcome, T> otherwise) {
        try {
            return calls.get();
        } catch (SdkException e) {
            return otherwise.apply(failed(e));
        }
    }

    /** What AWS refuses stays refused until somebody changes something, unless it says or we know that it passes. */
    static Outcome failed(SdkException failure) {
        if (!(failure instanceof AwsServiceException answer) || answer.awsErrorDetails() == null) {
            return new Outcome.Retry("aws: " + Excerpt.of(failure));
        }
        var passes = answer.isThrottlingException()
                || answer.isClockSkewException()
                || answer.statusCode() >= 500
                || PASSING.contains(code(answer));
        return passes ? new Outcome.Retry(reason(answer)) : new Outcome.Refused(reason(answer));
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
