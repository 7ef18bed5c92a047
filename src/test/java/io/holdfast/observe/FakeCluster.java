package io.holdfast.observe;

import com.sun.net.httpserver.HttpExchange;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.power.port.AppProbe.Result;
import io.holdfast.probe.ProbeSettings;
import io.holdfast.registry.Workload;
import io.holdfast.remote.KubernetesSettings;
import io.holdfast.remote.TestTls;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** An API server with one workload, and observers that look at it over HTTP. */
final class FakeCluster implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final Workload REPORTS = new Workload("shop", Workload.Kind.DEPLOYMENT, "reports");

    /** The words of an API server, with the kind that it really names. */
    static final String NOT_FOUND = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
            + "\"message\":\"deployments.apps/scale \\\"reports\\\" not found\",\"reason\":\"NotFound\","
            + "\"details\":{\"name\":\"reports\",\"group\":\"apps\",\"kind\":\"deployments/scale\"},\"code\":404}";

    static final int SILENCE = -1;
    static final int CUT_OFF = -2;

    private static final Vertx VERTX = Vertx.vertx();

    record Said(int code, String body) {}

    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final TestTls.Served server;
    private final Observers observers;
    private volatile List<Said> scales = List.of(new Said(200, scale("{\"replicas\":1}")));
    private volatile List<Said> pages = List.of(new Said(200, page(Optional.empty())));
    private int scalesRead;

    FakeCluster() {
        this(ProbeSettings.PATIENT);
    }

    FakeCluster(ProbeSettings probes) {
        try {
            server = TestTls.servePlain(this::answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        observers = new Observers(
                ObserveSettings.DEFAULTS,
                probes,
                KubernetesSettings.plain(server.url("")),
                app -> Uni.createFrom().item(Result.unknown("is not asked")),
                VERTX);
    }

    static FakePod pod(String name) {
        return new FakePod(name, NOW);
    }

    static String scale(String spec) {
        return "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"reports\","
                + "\"namespace\":\"shop\"},\"spec\":" + spec
                + ",\"status\":{\"replicas\":0,\"selector\":\"app=reports\"}}";
    }

    static String page(Optional<String> next, FakePod... pods) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"4712\""
                + next.map(token -> ",\"continue\":\"" + token + "\"").orElse("") + "},\"items\":["
                + Arrays.stream(pods).map(FakePod::json).collect(Collectors.joining(",")) + "]}";
    }

    void has(int replicas, FakePod... pods) {
        scaleSays(200, scale("{\"replicas\":" + replicas + "}"));
        podsSay(200, page(Optional.empty(), pods));
    }

    void scaleSays(int code, String body) {
        scales = List.of(new Said(code, body));
    }

    /** One answer after the other; the last one again and again. */
    void scaleSays(Said... inTurn) {
        scales = List.of(inTurn);
    }

    void podsSay(int code, String body) {
        pages = List.of(new Said(code, body));
    }

    /** Each page but the last one names the next. The token of a page is {@code /2} for the second, and so on. */
    void hasPages(List<FakePod> onePodEach) {
        var all = new ArrayList<Said>();
        for (var i = 1; i <= onePodEach.size(); i++) {
            var next = i == onePodEach.size() ? Optional.<String>empty() : Optional.of("/" + (i + 1));
            all.add(new Said(200, page(next, onePodEach.get(i - 1))));
        }
        pages = all;
    }

    void pageSays(int number, int code, String body) {
        var all = new ArrayList<>(pages);
        all.set(number - 1, new Said(code, body));
        pages = all;
    }

    List<String> asked() {
        return asked;
    }

    Observation seen() {
        return seenAt(NOW);
    }

    Observation seenAt(Instant now) {
        return seen(new ObserveSpec.Kubernetes(REPORTS), now);
    }

    Observation seen(ObserveSpec spec, Instant now) {
        var service =
                Service.registered(new ServiceId("reports"), new ServiceSpec(spec, Optional.empty()), 1, Instant.EPOCH);
        return observers.observe(service, now).await().atMost(Duration.ofSeconds(90));
    }

    private void answer(HttpExchange exchange) throws IOException {
        var uri = exchange.getRequestURI();
        asked.add(exchange.getRequestMethod() + " " + uri);
        var said = uri.getPath().endsWith("/scale") ? nextScale() : pages.get(pageNumber(uri.getQuery()) - 1);
        if (said.code() == SILENCE) {
            silence();
            return;
        }
        var bytes = said.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        if (said.code() == CUT_OFF) {
            exchange.sendResponseHeaders(200, bytes.length + 1L);
        } else {
            exchange.sendResponseHeaders(said.code(), bytes.length == 0 ? -1 : bytes.length);
        }
        exchange.getResponseBody().write(bytes);
    }

    private synchronized Said nextScale() {
        return scales.get(Math.min(scalesRead++, scales.size() - 1));
    }

    private static int pageNumber(String query) {
        var token = query.indexOf("&continue=/");
        return token < 0 ? 1 : Integer.parseInt(query.substring(token + "&continue=/".length()));
    }

    private void silence() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        observers.close();
        server.close();
    }
}
