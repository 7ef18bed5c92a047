package io.holdfast.actuator;

import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One DB instance and one Aurora cluster of the same name behind RDS's query protocol: forms in, XML out. */
final class FakeRds implements AutoCloseable {
    private static final String NAMESPACE = "http://rds.amazonaws.com/doc/2014-10-31/";

    private final String identifier;
    private final FakeServer server = new FakeServer(this::answer);
    private volatile String status = "available";
    private volatile boolean listed = true;
    private volatile Optional<Response> forAll = Optional.empty();
    private volatile Optional<Response> forOrders = Optional.empty();

    FakeRds(String identifier) {
        this.identifier = identifier;
    }

    URI url() {
        return server.url();
    }

    void is(String newStatus) {
        status = newStatus;
    }

    void isNotListed() {
        listed = false;
    }

    void isSilent() {
        forAll = Optional.of(Response.silence());
    }

    void fails(int httpStatus, String code, String message) {
        forAll = Optional.of(error(httpStatus, code, message));
    }

    void ordersFail(int httpStatus, String code, String message) {
        forOrders = Optional.of(error(httpStatus, code, message));
    }

    List<Request> calls() {
        return server.requests();
    }

    Map<String, String> lastCall() {
        return calls().getLast().form();
    }

    private Response answer(Request request) {
        if (forAll.isPresent()) {
            return forAll.get();
        }
        return switch (request.form().get("Action")) {
            case "DescribeDBInstances" -> described("DescribeDBInstances", "DBInstances", instance());
            case "DescribeDBClusters" -> described("DescribeDBClusters", "DBClusters", cluster());
            case "StopDBInstance" -> ordered("StopDBInstance", "stopping");
            case "StartDBInstance" -> ordered("StartDBInstance", "starting");
            case "StopDBCluster" -> ordered("StopDBCluster", "stopping");
            case "StartDBCluster" -> ordered("StartDBCluster", "starting");
            default -> error(400, "InvalidAction", "no such action");
        };
    }

    private String instance() {
        return "<DBInstance><DBInstanceIdentifier>%s</DBInstanceIdentifier><DBInstanceStatus>%s</DBInstanceStatus></DBInstance>"
                .formatted(identifier, status);
    }

    private String cluster() {
        return "<DBCluster><DBClusterIdentifier>%s</DBClusterIdentifier><Status>%s</Status></DBCluster>"
                .formatted(identifier, status);
    }

    private Response ordered(String action, String next) {
        if (forOrders.isPresent()) {
            return forOrders.get();
        }
        // As RDS does: an order for what is there already is refused.
        if (status.equals(next.equals("starting") ? "available" : "stopped")) {
            var code = action.endsWith("Cluster") ? "InvalidDBClusterStateFault" : "InvalidDBInstanceState";
            return error(400, code, "%s is in state %s.".formatted(identifier, status));
        }
        status = next;
        return result(action, action.endsWith("Cluster") ? cluster() : instance());
    }

    private Response described(String action, String list, String item) {
        return result(action, "<%1$s>%2$s</%1$s>".formatted(list, listed ? item : ""));
    }

    private static Response result(String action, String content) {
        return Response.of(
                200,
                """
                <%1$sResponse xmlns="%2$s"><%1$sResult>%3$s</%1$sResult>
                <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata></%1$sResponse>"""
                        .formatted(action, NAMESPACE, content));
    }

    private static Response error(int httpStatus, String code, String message) {
        return Response.of(
                httpStatus,
                """
                <ErrorResponse xmlns="%s"><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error>
                <RequestId>r-2</RequestId></ErrorResponse>"""
                        .formatted(NAMESPACE, code, message));
    }

    @Override
    public void close() {
        server.close();
    }
}
