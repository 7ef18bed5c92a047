package io.holdfast.remote;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;

/** Says for people why a call ended without an answer. */
public final class Failures {
    private Failures() {}

    /** @param timeout what the call was allowed */
    public static String sentence(Throwable failure, Duration timeout) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case UnusableSettingException unusable -> words(unusable);
            case HttpTimeoutException late -> noAnswer(timeout);
            case io.smallrye.mutiny.TimeoutException late -> noAnswer(timeout);
            case TooLateException late -> noAnswer(timeout);
            case RejectedExecutionException full -> "too many calls are waiting";
            case UnknownHostException unknown -> "the host name is not known";
            case ConnectException noConnection
            when noConnection.getCause() instanceof UnresolvedAddressException -> "the host name is not known";
            case ConnectException noConnection -> "no connection: " + reason(noConnection);
            case SSLException tls -> "TLS failed: " + words(tls);
            default -> "no proper answer: " + Excerpt.of(cause);
        };
    }

    public static String noAnswer(Duration timeout) {
        return "no answer within " + timeout.toMillis() + " ms";
    }

    /** The HTTP client leaves out why, also from the causes, when a connection is refused. */
    private static String reason(ConnectException noConnection) {
        for (Throwable cause = noConnection; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                return Excerpt.of(cause.getMessage());
            }
        }
        return "connection refused";
    }

    /** Part of this may come from the other side. */
    private static String words(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : Excerpt.of(failure.getMessage());
    }
}
