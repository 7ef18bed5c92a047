package io.holdfast.boot.aws;

import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** AWS' security token service: exchanges the token of a service account for credentials, or refuses to. */
public final class FakeSts implements AutoCloseable {
    public static final String REFUSAL = "AccessDenied, Not authorized to perform sts:AssumeRoleWithWebIdentity";

    private static final Response REFUSED = Response.of(
            403,
            """
            <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>
            <Code>AccessDenied</Code><Message>Not authorized to perform sts:AssumeRoleWithWebIdentity</Message>
            </Error><RequestId>r-1</RequestId></ErrorResponse>""");

    private final FakeServer server = new FakeServer(request -> REFUSED);

    public URI url() {
        return server.url();
    }

    /** Each answer has another access key: {@code ASIA1}, {@code ASIA2} and so on. */
    public void givesCredentialsFor(Duration validity) {
        server.answers(request -> given(request, validity));
    }

    void refuses() {
        server.answers(request -> REFUSED);
    }

    public List<Map<String, String>> calls() {
        return server.requests().stream().map(Request::form).toList();
    }

    private Response given(Request request, Duration validity) {
        return Response.of(
                200,
                """
                <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                <AssumeRoleWithWebIdentityResult>
                <AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/holdfast/session</Arn>
                <AssumedRoleId>AROA:session</AssumedRoleId></AssumedRoleUser>
                <Credentials><AccessKeyId>ASIA%d</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
                <SessionToken>session-of-%s</SessionToken><Expiration>%s</Expiration></Credentials>
                </AssumeRoleWithWebIdentityResult>
                <ResponseMetadata><RequestId>r-2</RequestId></ResponseMetadata>
                </AssumeRoleWithWebIdentityResponse>"""
                        .formatted(
                                calls().size(),
                                request.form().get("WebIdentityToken"),
                                Instant.now().plus(validity)));
    }

    @Override
    public void close() {
        server.close();
    }
}
