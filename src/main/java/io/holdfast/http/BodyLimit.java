package io.holdfast.http;

import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Stops reading a body that did not say its length and turns out too long. */
@Provider
public class BodyLimit implements ReaderInterceptor {
    private final Instance<HttpConfig> config;

    /** Providers are made before there is a configuration, so it is asked for when the first body comes. */
    BodyLimit(Instance<HttpConfig> config) {
        this.config = config;
    }

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        context.setInputStream(
                new Limited(context.getInputStream(), config.get().bodyMax().asLongValue()));
        return context.proceed();
    }

    private static final class Limited extends FilterInputStream {
        private final long bodyMax;
        private long readable;

        Limited(InputStream in, long bodyMax) {
            super(in);
            this.bodyMax = bodyMax;
            this.readable = bodyMax;
        }

        @Override
        public int read() throws IOException {
            var value = super.read();
            return value < 0 ? value : count(1, value);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            var read = super.read(target, offset, length);
            return read < 0 ? read : count(read, read);
        }

        private int count(int bytes, int result) {
            readable -= bytes;
            if (readable < 0) {
                throw new WebApplicationException(Response.fromResponse(Problems.answer(Problems.bodyTooLarge(bodyMax)))
                        .header("Connection", "close")
                        .build());
            }
            return result;
        }
    }
}
