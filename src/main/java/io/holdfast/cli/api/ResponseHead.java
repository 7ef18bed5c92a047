package io.holdfast.cli.api;

import io.holdfast.http.wire.ProblemBody;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** What the headers of a response tell. */
final class ResponseHead {
    private ResponseHead() {}

    static boolean isJson(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Content-Type")
                .filter(type -> type.startsWith("application/json") || type.startsWith(ProblemBody.MEDIA_TYPE))
                .isPresent();
    }

    static Optional<Instant> date(HttpResponse<?> response) {
        return response.headers().firstValue("Date").flatMap(date -> {
            try {
                return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        });
    }
}
