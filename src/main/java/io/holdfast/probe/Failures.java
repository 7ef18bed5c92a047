package io.holdfast.probe;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/** Says for people why a look ended without a verdict. */
final class Failures {
    private static final int WORDS_LENGTH_MAX = 200;

    private Failures() {}

    static String sentence(Throwable failure, Duration timeout) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case CannotTellException cannotTell -> words(cannotTell.getMessage());
            case HttpTimeoutException late -> "no answer within " + timeout.toMillis() + " ms";
            case io.smallrye.mutiny.TimeoutException late -> "no answer within " + timeout.toMillis() + " ms";
            case ConnectException noConnection
            when noConnection.getCause() instanceof UnresolvedAddressException -> "the host name is not known";
            case ConnectException noConnection -> "no connection: " + words(noConnection.getMessage());
            case SSLException tls -> "TLS failed: " + words(tls.getMessage());
            default ->
                "no proper answer: " + cause.getClass().getSimpleName() + ", "
                        + words(String.valueOf(cause.getMessage()));
        };
    }

    /** Part of this may come from the app: one line, and not a long one. */
    private static String words(String text) {
        if (text == null) {
            return "no reason given";
        }
        var line = text.replaceAll("[\\p{Cntrl}\\p{Cs}\\x{2028}\\x{2029}]", "?");
        return line.length() <= WORDS_LENGTH_MAX ? line : line.substring(0, WORDS_LENGTH_MAX) + "…";
    }
}
