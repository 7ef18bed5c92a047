package io.holdfast.cli.api;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Output;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Turns the exceptions of the HTTP client into sentences for the user. */
final class CallFailures {
    private static final String PLAIN_TEXT = "unrecognized ssl message";

    /** The alerts of a server that asks for a certificate. */
    private static final Pattern OF_CLIENT_CERTIFICATE = Pattern.compile(
            "Received fatal alert: (certificate_required|bad_certificate|unsupported_certificate|certificate_unknown"
                    + "|certificate_expired|certificate_revoked|unknown_ca|decrypt_error)");

    private final String server;

    /** @param server as the user named it */
    CallFailures(String server) {
        this.server = server;
    }

    CliException notHoldfast(Exception cause) {
        var failure = new CliException(Exit.UNAVAILABLE, server + " answers, but the answer is not from Holdfast.");
        failure.initCause(cause);
        return failure;
    }

    /**
     * A request without an answer.
     *
     * @param readOnly whether the request changes nothing, so that its outcome cannot be in doubt
     */
    CliException unanswered(Throwable thrown, Duration timeout, boolean readOnly) {
        var failure = unwrapped(thrown);
        if (failure instanceof CliException known) {
            return known;
        }
        var noConnection = noConnection(failure);
        if (noConnection.isPresent()) {
            return new CliException(
                    Exit.UNAVAILABLE,
                    "%s cannot be reached: %s. Is --server or HOLDFAST_URL right?"
                            .formatted(server, noConnection.get()));
        }
        return switch (failure) {
            case HttpTimeoutException e ->
                unanswered(
                        "%s did not answer within %s".formatted(server, DurationText.words(timeout)),
                        "the request may still be carried out",
                        readOnly);
            case IOException e ->
                unanswered(server + " closed the connection", "the request may have been carried out", readOnly);
            default -> throw new IllegalStateException(failure);
        };
    }

    private static CliException unanswered(String what, String doubt, boolean readOnly) {
        return readOnly
                ? new CliException(Exit.UNAVAILABLE, what + ".")
                : CliException.inDoubt(what + "; " + doubt + ".");
    }

    /** Why a connection ended or could not be opened, for a command that retries. */
    String disconnected(Throwable thrown) {
        var failure = unwrapped(thrown);
        if (failure instanceof CliException known && known.exit() == Exit.UNAUTHENTICATED) {
            return known.getMessage();
        }
        return noConnection(failure)
                .map(why -> "%s cannot be reached: %s.".formatted(server, why))
                .orElse(server + " closed the connection.");
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException ? thrown.getCause() : thrown;
    }

    /** Why no connection could be opened; empty if there was one. */
    private static Optional<String> noConnection(Throwable failure) {
        return Optional.ofNullable(
                switch (failure) {
                    case HttpConnectTimeoutException e -> "the connection attempt timed out";
                    case ConnectException e when isUnknownHost(e) -> "unknown host";
                    case ConnectException e -> "connection refused";
                    case SSLException e when isBeforeRequest(e) -> insecure(e);
                    default -> null;
                });
    }

    private static boolean isUnknownHost(Throwable failure) {
        return failure != null && (failure instanceof UnresolvedAddressException || isUnknownHost(failure.getCause()));
    }

    /** Whether TLS failed before the request was sent. */
    private static boolean isBeforeRequest(SSLException failure) {
        var isPlainText =
                String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains(PLAIN_TEXT);
        return failure instanceof SSLHandshakeException || isPlainText;
    }

    private static String insecure(SSLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException) {
                return "no trusted authority has signed its certificate (" + TlsFiles.CA_VARIABLE
                        + " names a file of those to trust)";
            }
            if (cause instanceof CertificateException && cause.getCause() == null) {
                return "its certificate is not valid: " + Output.oneLine("" + cause.getMessage());
            }
        }
        var message = Output.oneLine("" + failure.getMessage());
        if (OF_CLIENT_CERTIFICATE.matcher(message).find()) {
            return "it does not accept the client certificate, or there is none (%s, %s): %s"
                    .formatted(TlsFiles.CERTIFICATE_VARIABLE, TlsFiles.KEY_VARIABLE, message);
        }
        return message.toLowerCase(Locale.ROOT).contains(PLAIN_TEXT)
                ? "no TLS connection: it answers without TLS, as for http://"
                : "no TLS connection: " + message;
    }
}
