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
 * Refuses a body without a JSON media type, a body that is too large, also if it is chunked, and a body that is not
 * valid UTF-8. The JSON parser alone would also accept other encodings and overlong sequences.
 */
@Provider
public class BodyFilter implements ReaderInterceptor {
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final Instance<HttpConfig> config;

    /** Read when the first body comes: providers are created before the configuration exists. */
    BodyFilter(Instance<HttpConfig> config) {
        this.config = config;
    }

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        // Without this check, a web page of another site could send a body with a simple form.
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

    /** Refuses UTF-16, UTF-32 and a byte order mark, which the parser would accept. */
    private static void requireUtf8(byte[] body) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            var marked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
            if (!marked && text.chars().noneMatch(character -> character == 0)) {
                return;
            }
        } catch (CharacterCodingException notUtf8) {
            // Invalid UTF-8 is refused below.
        }
        throw new InvalidInputException("body", "one well-formed JSON object in UTF-8");
    }
}
