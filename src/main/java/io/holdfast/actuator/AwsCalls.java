package io.holdfast.actuator;

import io.holdfast.kernel.Settings;
import io.holdfast.power.Actuator.Outcome;
import io.holdfast.remote.Excerpt;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Blocking calls of the AWS SDK, made on a worker and bounded in time. */
final class AwsCalls {
    /** Errors of status 4xx that pass by themselves: AWS is full, or our credentials are about to be renewed. */
    private static final Set<String> PASSING = Set.of(
            "InsufficientInstanceCapacity",
            "InsufficientDBInstanceCapacity",
            "InsufficientDBClusterCapacityFault",
            "ExpiredToken",
            "ExpiredTokenException",
            "RequestExpired");

    private final Duration timeout;

    AwsCalls(Duration timeout) {
        this.timeout = timeout;
    }

    Uni<Outcome> order(Supplier<Outcome> calls) {
        return run(calls, failed -> failed);
    }

    Uni<PowerSwitch.Reading> look(Supplier<PowerSwitch.Reading> calls) {
        return run(calls, PowerSwitch.Reading::unknown);
    }

    private <T> Uni<T> run(Supplier<T> calls, Function<Outcome, T> otherwise) {
        return Uni.createFrom()
                .item(() -> attempt(calls, otherwise))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .ifNoItem()
                .after(timeout)
                .recoverWithItem(
                        () -> otherwise.apply(new Outcome.Retry("aws: no answer within " + Settings.text(timeout))));
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
