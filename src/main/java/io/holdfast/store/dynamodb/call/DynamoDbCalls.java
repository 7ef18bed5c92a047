package io.holdfast.store.dynamodb.call;

import io.holdfast.kernel.Pause;
import io.holdfast.kernel.StoreUnavailableException;
import io.holdfast.store.StoreTelemetry;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import software.amazon.awssdk.awscore.AwsResponse;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Calls DynamoDB with a timeout per attempt. Transient failures are retried with backoff and jitter, and then end as
 * {@link StoreUnavailableException}. A refused condition is an answer and is not retried.
 */
public final class DynamoDbCalls {
    private static final Logger LOG = Logger.getLogger(DynamoDbCalls.class);

    private static final String CONDITION = "ConditionalCheckFailed";
    private static final String NO_REASON = "None";
    private static final String CONFLICT = "TransactionConflict";
    private static final Set<String> ANSWERS = Set.of(CONDITION, CONFLICT);
    private static final Set<String> THROTTLED = Set.of("ThrottlingError", "ProvisionedThroughputExceeded");

    private final DynamoDbConfig config;
    private final ClockGuard clock;
    private final StoreTelemetry telemetry;

    public DynamoDbCalls(DynamoDbConfig config, ClockGuard clock, StoreTelemetry telemetry) {
        this.config = config;
        this.clock = clock;
        this.telemetry = telemetry;
    }

    /**
     * The result of a call.
     *
     * @param inDoubt whether an earlier attempt of this call may have been carried out although its answer was lost
     */
    public sealed interface Result<R> {
        boolean inDoubt();

        record Done<R>(R response, boolean inDoubt) implements Result<R> {}

        record Refused<R>(ConditionalCheckFailedException condition, boolean inDoubt) implements Result<R> {}

        /** For calls that carry no condition. */
        default R unconditional() {
            return switch (this) {
                case Done<R> done -> done.response();
                case Refused<R> refused -> throw refused.condition();
            };
        }
    }

    public <R extends AwsResponse> Uni<Result<R>> call(String operation, Supplier<CompletionStage<R>> request) {
        return Uni.createFrom().deferred(() -> {
            var started = nanos();
            return attempt(new Call<>(operation, request, started), 1, false);
        });
    }

    /** The result of a transaction. */
    public sealed interface Transaction {
        record Done() implements Transaction {}

        /** A condition was refused, or another transaction conflicted. One reason for each item, in order. */
        record Cancelled(List<CancellationReason> reasons) implements Transaction {
            public boolean refused(int item) {
                return CONDITION.equals(reasons.get(item).code());
            }

            /** Whether the condition of this item is the only reason. */
            public boolean refusedOnly(int item) {
                return refused(item)
                        && reasons.stream()
                                        .filter(reason -> isReason(reason.code()))
                                        .count()
                                == 1;
            }

            /** If false, some items were not checked, and their conditions may be refused as well. */
            public boolean byConditionsAlone() {
                return reasons.stream()
                        .map(CancellationReason::code)
                        .allMatch(code -> !isReason(code) || code.equals(CONDITION));
            }

            private static boolean isReason(String code) {
                return code != null && !code.equals(NO_REASON);
            }
        }
    }

    /**
     * Carries out a transaction. The request must have a client request token. With it, a retry of an attempt that was
     * carried out is answered as done, so a transaction is never in doubt.
     */
    public Uni<Transaction> transact(String operation, Supplier<CompletionStage<TransactWriteItemsResponse>> request) {
        return call(operation, request)
                .<Transaction>map(done -> new Transaction.Done())
                .onFailure(TransactionCanceledException.class)
                .recoverWithItem(failure -> new Transaction.Cancelled(failure.cancellationReasons()));
    }

    /** The monotonic clock. */
    public long nanos() {
        return clock.nanos();
    }

    /** How long all attempts of one call may take together, without the pauses between them. */
    public Duration patience() {
        return config.attemptTimeout().multipliedBy(config.attemptsMax());
    }

    /** Waits before retry number {@code attempts}. */
    public Uni<Void> pause(int attempts) {
        return Pause.of(pauseAfter(attempts));
    }

    private record Call<R>(String operation, Supplier<CompletionStage<R>> request, long startedNanos) {}

    private Duration took(Call<?> call) {
        return Duration.ofNanos(nanos() - call.startedNanos());
    }

    private <R extends AwsResponse> Uni<Result<R>> attempt(Call<R> call, int number, boolean inDoubt) {
        var sent = clock.read();
        return Uni.createFrom()
                .completionStage(call.request())
                .ifNoItem()
                .after(config.attemptTimeout())
                .fail()
                .<Result<R>>map(response -> {
                    clock.answered(sent, response.sdkHttpResponse());
                    telemetry.called(call.operation(), number - 1, took(call), true);
                    return new Result.Done<>(response, inDoubt);
                })
                .onFailure()
                .recoverWithUni(failure -> {
                    var cause = unwrap(failure);
                    if (cause instanceof AwsServiceException answered && answered.awsErrorDetails() != null) {
                        clock.answered(sent, answered.awsErrorDetails().sdkHttpResponse());
                    }
                    return failed(call, number, inDoubt, cause);
                });
    }

    private <R extends AwsResponse> Uni<Result<R>> failed(Call<R> call, int number, boolean inDoubt, Throwable cause) {
        if (cause instanceof ConditionalCheckFailedException refused) {
            telemetry.called(call.operation(), number - 1, took(call), true);
            return Uni.createFrom().item(new Result.Refused<>(refused, inDoubt));
        }
        if (isCancellation(cause)) {
            telemetry.called(call.operation(), number - 1, took(call), true);
            return Uni.createFrom().failure(cause);
        }
        if (!isTransient(cause)) {
            telemetry.called(call.operation(), number - 1, took(call), false);
            return Uni.createFrom().failure(finalFailure(cause));
        }
        if (number >= config.attemptsMax()) {
            telemetry.called(call.operation(), number - 1, took(call), false);
            LOG.warnf(
                    "DynamoDB unavailable operation=%s attempts=%d duration_ms=%d error=\"%s\"",
                    call.operation(), number, took(call).toMillis(), sentence(cause));
            return Uni.createFrom()
                    .failure(new StoreUnavailableException(
                            "DynamoDB did not answer " + number + " attempts: " + sentence(cause) + ".", cause));
        }
        var doubt = inDoubt || mayHaveHappened(cause);
        return pause(number).chain(() -> attempt(call, number + 1, doubt));
    }

    /** Full jitter, so that callers that were refused together do not retry together. */
    private Duration pauseAfter(int attempts) {
        var bound =
                Math.min(config.backoffMax().toMillis(), config.backoffBase().toMillis() << Math.min(attempts - 1, 20));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound + 1) + 1);
    }

    /** The caller handles refused conditions and conflicts. A throttled transaction is retried here. */
    private static boolean isCancellation(Throwable cause) {
        return cause instanceof TransactionCanceledException cancelled && hasReason(cancelled, ANSWERS);
    }

    private static boolean hasReason(TransactionCanceledException cancelled, Set<String> codes) {
        return cancelled.cancellationReasons().stream().anyMatch(reason -> codes.contains(reason.code()));
    }

    private static boolean isTransient(Throwable cause) {
        return cause instanceof TimeoutException
                || cause instanceof SdkClientException && !(cause instanceof CredentialsMissingException)
                || cause instanceof TransactionConflictException
                || cause instanceof TransactionInProgressException
                || cause instanceof TransactionCanceledException cancelled && hasReason(cancelled, THROTTLED)
                || cause instanceof AwsServiceException answer
                        && (answer.isThrottlingException() || answer.statusCode() >= 500);
    }

    /** A throttled or conflicting request was not carried out. Other failures leave that open. */
    private static boolean mayHaveHappened(Throwable cause) {
        return !(cause instanceof AwsServiceException answer) || answer.statusCode() >= 500;
    }

    /** An operator must fix a missing table or permission. Other failures are bugs, and are passed on. */
    private static Throwable finalFailure(Throwable cause) {
        if (cause instanceof CredentialsMissingException missing) {
            return new StoreUnavailableException(missing.getMessage(), cause);
        }
        if (cause instanceof AwsServiceException answer && isForOperator(answer)) {
            return new StoreUnavailableException("DynamoDB refuses to serve: " + sentence(cause) + ".", cause);
        }
        return cause;
    }

    private static boolean isForOperator(AwsServiceException answer) {
        var details = answer.awsErrorDetails();
        return details == null || !"ValidationException".equals(details.errorCode());
    }

    private static String sentence(Throwable cause) {
        if (cause instanceof AwsServiceException answer && answer.awsErrorDetails() != null) {
            var details = answer.awsErrorDetails();
            return details.errorCode() + ", " + details.errorMessage();
        }
        return cause instanceof SdkException || cause instanceof TimeoutException
                ? cause.getClass().getSimpleName()
                : String.valueOf(cause.getMessage());
    }

    private static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
