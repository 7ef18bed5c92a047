package io.holdfast.remote;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;

/** Describes why a call ended without an answer. */
public final class Failures {
    private Failures() {}

    /** @param timeout of the call */
    public static String sentence(Throwable failure, Duration timeout) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case UnusableSettingException unusable -> message(unusable);
            case HttpTimeoutException late -> noAnswer(timeout);
            case io.smallrye.mutiny.TimeoutException late -> noAnswer(timeout);
            case TooLateException late -> noAnswer(timeout);
            case RejectedExecutionException full -> "too many calls are queued";
            case UnknownHostException unknown -> "the host name is not known";
            case ConnectException noConnection
            when noConnection.getCause() instanceof UnresolvedAddressException -> "the host name is not known";
            case ConnectException noConnection -> "no connection: " + reason(noConnection);
            case SSLException tls -> "TLS failed: " + message(tls);
            default -> "no valid answer: " + Excerpt.of(cause);
        };
    }

    public static String noAnswer(Duration timeout) {
        return "no answer within " + timeout.toMillis() + " ms";
    }

    /** For a refused connection the HTTP client has no message, not even in the causes. */
    private static String reason(ConnectException noConnection) {
        for (Throwable cause = noConnection; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return Excerpt.of(cause.getMessage());
            }
        }
        return "connection refused";
    }

    /** Shortened, because part of it may come from the server. */
    private static String message(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : Excerpt.of(failure.getMessage());
    }
}
