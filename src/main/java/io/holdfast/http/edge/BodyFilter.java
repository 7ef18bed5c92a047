package io.holdfast.http.edge;

import io.holdfast.kernel.InvalidInputException;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Lets a body through that says what it is, is not too long (also if it did not say its length), and is UTF-8 to the
 * letter: the JSON parser also takes other encodings, and overlong sequences, behind which a character can hide.
 */
@Provider
public class BodyFilter implements ReaderInterceptor {
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final Instance<HttpConfig> config;

    /** Providers are made before there is a configuration, so it is asked for when the first body comes. */
    BodyFilter(Instance<HttpConfig> config) {
        this.config = config;
    }

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        // Without a type a web page of anybody's may send a body in its visitor's name.
        var type = context.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
        if (type == null || type.isBlank()) {
            throw new NotSupportedException();
        }
        var bodyMax = config.get().bodyMax().asLongValue();
        var body = context.getInputStream().readNBytes(Math.toIntExact(bodyMax + 1));
        if (body.length > bodyMax) {
            throw new WebApplicationException(Response.fromResponse(Problems.answer(Problems.bodyTooLarge(bodyMax)))
                    .header("Connection", "close")
                    .build());
        }
        requireUtf8(body);
        context.setInputStream(new ByteArrayInputStream(body));
        return context.proceed();
    }

    /** The parser guesses UTF-16 and UTF-32 by their zero bytes, and skips a byte order mark; JSON has neither. */
    private static void requireUtf8(byte[] body) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            var marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
            if (!marked && text.chars().noneMatch(character -> character == 0)) {
                return;
            }
        } catch (CharacterCodingException notUtf8) {
            // Refused below, like the rest.
        }
        throw new InvalidInputException("body", "one well-formed JSON object in UTF-8");
    }
}
