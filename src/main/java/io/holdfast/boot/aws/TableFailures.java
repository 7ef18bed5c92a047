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

/** Error sentences for failed calls about the table and for missing credentials. */
final class TableFailures {
    /** How the SDK's message starts. The rest lists all places that it has searched. */
    private static final String NOWHERE = "Unable to load credentials from any of the providers";

    /** Error codes about credentials, which DynamoDB sends with status 400. */
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
            return unreachable("AWS refuses these credentials: " + message(refused.get()), cause);
        }
        if (cause instanceof TimeoutException) {
            return unreachable("No AWS credentials were found: AWS did not answer in time", cause);
        }
        var why = String.valueOf(cause.getMessage());
        return unreachable(
                "No AWS credentials were found: "
                        + (why.startsWith(NOWHERE)
                                ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE,"
                                        + " or run Holdfast with an IAM role"
                                : Excerpt.of(why)),
                cause);
    }

    /**
     * @param place the endpoint or region, with "at" or "in"
     * @param timeout the time limit of a call
     */
    static UnreachableException unanswered(RuntimeException failure, String place, Duration timeout) {
        return refusal(failure)
                .map(answer -> unreachable(
                        (isAboutTheCaller(answer) ? "AWS refuses these credentials: " : "DynamoDB refuses: ")
                                + message(answer),
                        failure))
                .orElseGet(() ->
                        unreachable("DynamoDB cannot be reached " + place + ": " + why(failure, timeout), failure));
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

    private static String message(AwsServiceException answer) {
        var details = answer.awsErrorDetails();
        return Excerpt.of(
                details == null || details.errorMessage() == null
                        ? String.valueOf(answer.getMessage())
                        : details.errorCode() + ", " + details.errorMessage());
    }

    private static UnreachableException unreachable(String sentence, Throwable cause) {
        return new UnreachableException(sentence.endsWith(".") ? sentence : sentence + ".", cause);
    }

    private static Throwable root(Throwable failure) {
        return causes(failure).reduce((outer, inner) -> inner).orElse(failure);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
