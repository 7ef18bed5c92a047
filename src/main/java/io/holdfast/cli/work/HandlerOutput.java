package io.holdfast.cli.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.wire.job.ProgressBody;
import io.holdfast.kernel.Text;
import io.holdfast.remote.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Copies the output of a handler. Lines that are meant for Holdfast go to a listener instead:
 * {@code holdfast: progress PERCENT [MESSAGE]}, {@code holdfast: result JSON} and {@code holdfast: error CODE [MESSAGE]}.
 *
 * <p>With a prefix, whole lines are copied, so that the lines of several handlers do not mix. Without one, bytes are copied as
 * soon as they cannot be the beginning of such a line.
 */
final class HandlerOutput {
    /** The service's limits. */
    static final int PROGRESS_MESSAGE_LENGTH_MAX = 256;

    static final int ERROR_MESSAGE_LENGTH_MAX = 1024;
    static final int RESULT_BYTES_MAX = 16 << 10;

    /** A longer line is copied in pieces, and is not meant for Holdfast. */
    static final int LINE_BYTES_MAX = 2 * RESULT_BYTES_MAX;

    private static final int BUFFER = 8192;
    private static final int PERCENT_MAX = 100;
    private static final String MARK = "holdfast: ";
    private static final Pattern PROGRESS = Pattern.compile("progress +([0-9]{1,3})%?(?: +(.*))?");
    private static final Pattern RESULT = Pattern.compile("result +(.*)");
    private static final Pattern ERROR = Pattern.compile("error +([A-Za-z0-9._-]{1,64})(?: +(.*))?");

    private final PrintStream out;
    private final String prefix;
    private final Optional<Listener> listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    /** Whether a part of the present line was already copied. */
    private boolean continued;

    /** Gets the lines that are meant for Holdfast, on the thread that copies. */
    interface Listener {
        void progress(ProgressBody progress);

        void result(JsonNode result);

        void error(HandlerError error);

        /** @param sentence why a line is ignored */
        void ignored(String sentence);
    }

    /** @param message null if there is none */
    record HandlerError(String code, String message) {}

    /**
     * @param prefix before each line; may be empty
     * @param listener if empty, all lines are copied
     */
    HandlerOutput(PrintStream out, String prefix, Optional<Listener> listener) {
        this.out = out;
        this.prefix = prefix;
        this.listener = listener;
    }

    /** Returns at the end of the input, or when it can no longer be read. */
    void copy(InputStream in) {
        var buffer = new byte[BUFFER];
        try {
            for (var length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                accept(buffer, length);
            }
        } catch (IOException closed) {
            // The handler has ended.
        }
        if (line.size() > 0) {
            endLine();
        }
        out.flush();
    }

    private void accept(byte[] bytes, int length) {
        for (var i = 0; i < length; i++) {
            line.write(bytes[i]);
            if (bytes[i] == '\n') {
                endLine();
            } else if (line.size() == LINE_BYTES_MAX) {
                copyLine();
            }
        }
        if (prefix.isEmpty() && !mayBeForHoldfast()) {
            copyLine();
        }
        out.flush();
    }

    private boolean mayBeForHoldfast() {
        var text = line.toString(StandardCharsets.UTF_8);
        return listener.isPresent() && !continued && (text.startsWith(MARK) || MARK.startsWith(text));
    }

    private void endLine() {
        if (continued || !isForHoldfast(line.toString(StandardCharsets.UTF_8).stripTrailing())) {
            copyLine();
        }
        line.reset();
        continued = false;
    }

    private void copyLine() {
        if (line.size() == 0) {
            return;
        }
        var bytes = line.toByteArray();
        synchronized (out) {
            out.writeBytes(prefix.getBytes(StandardCharsets.UTF_8));
            out.writeBytes(bytes);
            if (!prefix.isEmpty() && bytes[bytes.length - 1] != '\n') {
                out.write('\n');
            }
        }
        line.reset();
        continued = true;
    }

    private boolean isForHoldfast(String text) {
        if (listener.isEmpty() || !text.startsWith(MARK)) {
            return false;
        }
        var order = text.substring(MARK.length()).strip();
        var progress = PROGRESS.matcher(order);
        if (progress.matches() && Integer.parseInt(progress.group(1)) <= PERCENT_MAX) {
            var message = message(progress.group(2), PROGRESS_MESSAGE_LENGTH_MAX);
            listener.get().progress(new ProgressBody(Integer.valueOf(progress.group(1)), message));
            return true;
        }
        var error = ERROR.matcher(order);
        if (error.matches()) {
            listener.get().error(new HandlerError(error.group(1), message(error.group(2), ERROR_MESSAGE_LENGTH_MAX)));
            return true;
        }
        var result = RESULT.matcher(order);
        if (result.matches()) {
            result(listener.get(), result.group(1));
            return true;
        }
        return false;
    }

    private static void result(Listener listener, String text) {
        new StrictJson()
                .object(text)
                .filter(result -> result.toString().getBytes(StandardCharsets.UTF_8).length <= RESULT_BYTES_MAX)
                .ifPresentOrElse(
                        listener::result,
                        () -> listener.ignored("The result is ignored: it is not one JSON object of at most %d bytes."
                                .formatted(RESULT_BYTES_MAX)));
    }

    private static String message(String text, int lengthMax) {
        return text == null || text.isBlank() ? null : Text.cleaned(text, lengthMax);
    }
}
