package io.holdfast.actuator;

import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One instance behind EC2's query protocol: forms in, XML out. */
final class FakeEc2 implements AutoCloseable {
    private static final String NAMESPACE = "http://ec2.amazonaws.com/doc/2016-11-15/";

    private final String instance;
    private final FakeServer server = new FakeServer(this::answer);
    private volatile String state = "running";
    private volatile boolean listed = true;
    private volatile Optional<Response> forAll = Optional.empty();
    private volatile Optional<Response> forOrders = Optional.empty();

    FakeEc2(String instance) {
        this.instance = instance;
    }

    URI url() {
        return server.url();
    }

    void is(String newState) {
        state = newState;
    }

    void isNotListed() {
        listed = false;
    }

    void isSilent() {
        forAll = Optional.of(Response.silence());
    }

    void talksNonsense() {
        forAll = Optional.of(Response.of(200, "<html><body>Welcome!"));
    }

    void fails(int status, String code, String message) {
        forAll = Optional.of(error(status, code, message));
    }

    void ordersFail(int status, String code, String message) {
        forOrders = Optional.of(error(status, code, message));
    }

    List<Request> calls() {
        return server.requests();
    }

    Map<String, String> lastCall() {
        return calls().getLast().form();
    }

    String authorization() {
        return calls().getLast().header("Authorization");
    }

    private Response answer(Request request) {
        if (forAll.isPresent()) {
            return forAll.get();
        }
        return switch (request.form().get("Action")) {
            case "DescribeInstances" -> described();
            case "StopInstances" -> forOrders.orElseGet(() -> changed("StopInstances", "running", "stopping"));
            case "StartInstances" -> forOrders.orElseGet(() -> changed("StartInstances", "stopped", "pending"));
            default -> error(400, "InvalidAction", "no such action");
        };
    }

    private Response changed(String action, String from, String to) {
        var before = state;
        if (before.equals(from)) {
            state = to;
        }
        return Response.of(
                200,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <%1$sResponse xmlns="%2$s"><requestId>r-1</requestId><instancesSet><item>
                <instanceId>%3$s</instanceId>
                <currentState><code>0</code><name>%4$s</name></currentState>
                <previousState><code>0</code><name>%5$s</name></previousState>
                </item></instancesSet></%1$sResponse>"""
                        .formatted(action, NAMESPACE, instance, state, before));
    }

    private Response described() {
        var reservation =
                """
                <item><reservationId>r-0</reservationId><instancesSet><item>
                <instanceId>%s</instanceId><instanceState><code>0</code><name>%s</name></instanceState>
                </item></instancesSet></item>"""
                        .formatted(instance, state);
        return Response.of(
                200,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <DescribeInstancesResponse xmlns="%s"><requestId>r-2</requestId>
                <reservationSet>%s</reservationSet></DescribeInstancesResponse>"""
                        .formatted(NAMESPACE, listed ? reservation : ""));
    }

    private static Response error(int status, String code, String message) {
        return Response.of(
                status,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Response><Errors><Error><Code>%s</Code><Message>%s</Message></Error></Errors>
                <RequestID>r-3</RequestID></Response>"""
                        .formatted(code, message));
    }

    @Override
    public void close() {
        server.close();
    }
}
