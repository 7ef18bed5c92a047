package io.holdfast.probe;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Says what an API server says about one workload, in an API server's words. */
final class FakeWorkloads {
    record Said(int code, String body) {}

    static final String NO_PODS = pods();

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Said scale = new Said(200, scale("{}"));
    private volatile Said pods = new Said(200, NO_PODS);

    static String scale(String spec) {
        return "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"reports\","
                + "\"namespace\":\"shop\",\"uid\":\"8c7e\",\"resourceVersion\":\"4711\"},\"spec\":" + spec
                + ",\"status\":{\"replicas\":0,\"selector\":\"app=reports,tier in (web,api)\"}}";
    }

    static String pods(String... items) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"4712\"},\"items\":["
                + String.join(",", items) + "]}";
    }

    void scaleSays(int code, String body) {
        scale = new Said(code, body);
    }

    void podsSay(int code, String body) {
        pods = new Said(code, body);
    }

    List<String> asked() {
        return asked;
    }

    void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        var said = exchange.getRequestURI().getPath().endsWith("/scale") ? scale : pods;
        var bytes = said.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(said.code(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
