package io.holdfast.boot.aws;

import io.holdfast.boot.aws.DynamoDbTableAdmin.UnreachableException;
import io.holdfast.remote.Excerpt;
import io.holdfast.remote.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** Says in one sentence what kept somebody from the table. */
final class TableFailures {
    /** The SDK's own words for this are a list of all the places it has looked at. */
    private static final String NOWHERE = "Unable to load credentials from any of the providers";

    /** DynamoDB answers these with 400. */
    private static final Set<String> ABOUT_THE_CALLER = Set.of(
            "AccessDeniedException",
            "ExpiredTokenException",
            "IncompleteSignatureException",
            "InvalidSignatureException",
            "MissingAuthenticationTokenException",
            "UnrecognizedClientException");

    private TableFailures() {}

    static UnreachableException noRegion(Throwable cause) {
        return new UnreachableException("No AWS region is set: set AWS_REGION.", cause);
    }

    static UnreachableException noCredentials(Throwable cause) {
        var refused = refusal(cause);
        if (refused.isPresent()) {
            return told("AWS refuses these credentials: " + words(refused.get()), cause);
        }
        if (cause instanceof TimeoutException) {
            return told("No AWS credentials were found: AWS did not answer in time", cause);
        }
        var why = String.valueOf(cause.getMessage());
        return told(
                "No AWS credentials were found: "
                        + (why.startsWith(NOWHERE)
                                ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE,"
                                        + " or run this where there is a role"
                                : Excerpt.of(why)),
                cause);
    }

    /**
     * @param place where DynamoDB was asked: "at" or "in" something
     * @param timeout what a call was allowed
     */
    static UnreachableException unanswered(RuntimeException failure, String place, Duration timeout) {
        return refusal(failure)
                .map(answer -> told(
                        (isAboutTheCaller(answer) ? "AWS refuses these credentials: " : "DynamoDB refuses: ")
                                + words(answer),
                        failure))
                .orElseGet(() -> told("DynamoDB cannot be reached " + place + ": " + why(failure, timeout), failure));
    }

    private static String why(Throwable failure, Duration timeout) {
        return isCausedBy(failure, ApiCallTimeoutException.class)
                ? Failures.noAnswer(timeout)
                : Failures.sentence(root(failure), timeout);
    }

    static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        return causes(failure).anyMatch(type::isInstance);
    }

    private static Optional<AwsServiceException> refusal(Throwable failure) {
        return causes(failure)
                .filter(AwsServiceException.class::isInstance)
                .map(AwsServiceException.class::cast)
                .findFirst();
    }

    private static boolean isAboutTheCaller(AwsServiceException answer) {
        return answer.awsErrorDetails() != null
                && ABOUT_THE_CALLER.contains(
                        String.valueOf(answer.awsErrorDetails().errorCode()));
    }

    private static String words(AwsServiceException answer) {
        var details = answer.awsErrorDetails();
        return Excerpt.of(
                details == null || details.errorMessage() == null
                        ? String.valueOf(answer.getMessage())
                        : details.errorCode() + ", " + details.errorMessage());
    }

    private static UnreachableException told(String sentence, Throwable cause) {
        return new UnreachableException(sentence.endsWith(".") ? sentence : sentence + ".", cause);
    }

    private static Throwable root(Throwable failure) {
        return causes(failure).reduce((outer, inner) -> inner).orElse(failure);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
