package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Reads the metrics of a running program, over one connection. */
public final class ProgramMetrics implements AutoCloseable {
    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param program the address of the program */
    public ProgramMetrics(URI program) {
        this.address = program.resolve("/q/metrics");
    }

    /** The first value of the metric, whatever its labels are. */
    public double value(String name) {
        return text().lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElseThrow();
    }

    private String text() {
        try {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the metrics", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
