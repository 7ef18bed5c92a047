package io.holdfast.access.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.access.file.AccessFileReader.Result;
import io.holdfast.access.model.Permission;
import io.holdfast.kernel.Subject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AccessFileReaderTest {
    private static final String HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    private static AccessFile read(String text) {
        var result = AccessFileReader.read(text);
        assertThat(result).isInstanceOf(Result.Usable.class);
        return ((Result.Usable) result).file();
    }

    @Test
    void theExampleOfTheDesignIsValid() {
        var file = read(
                """
                issuers:
                  - {name: cluster, issuer: https://kubernetes.default.svc.cluster.local, jwks: https://kubernetes.default.svc/openid/v1/jwks, audience: holdfast}
                tokens:
                  - {name: break-glass, sha256: %s}
                grants:
                  - {subjects: ["cluster:system:serviceaccount:billing:*"], allow: [{locks: "billing/", actions: [read, acquire]}]}
                  - {subjects: ["token:break-glass"], allow: [{admin: true}]}
                """
                        .formatted(HASH));

        assertThat(file.tokens()).containsExactly(new StaticToken("break-glass", HASH));
        assertThat(file.issuers().getFirst().algorithms()).containsExactlyInAnyOrderElementsOf(Algorithms.ALL);
        assertThat(file.policy()
                        .decide(
                                new Subject("cluster:system:serviceaccount:billing:nightly"),
                                Permission.parse("acquire", "locks:billing/nightly")))
                .hasToString("Allowed[by=grants[0].allow[0]]");
        assertThat(file.policy()
                        .decide(new Subject("token:break-glass"), new Permission.Admin())
                        .isAllowed())
                .isTrue();
    }

    @Test
    void anIssuerMayHaveEveryField() {
        var issuer =
                read("""
                        issuers:
                        - name: cluster
                          issuer: https://kubernetes.default.svc.cluster.local
                          jwks: https://10.0.0.1:6443/openid/v1/jwks
                          audience: [holdfast, other]
                          algorithms: [RS256, ES256]
                          leeway: 2m
                          ca-file: /var/run/ca.crt
                          token-file: /var/run/token
                        grants:
                        - subjects: ["*"]
                          allow:
                          - {services: "", actions: [read]}
                        """)
                        .issuers()
                        .getFirst();

        assertThat(issuer.audiences()).containsExactlyInAnyOrder("holdfast", "other");
        assertThat(issuer.algorithms()).containsExactlyInAnyOrder("RS256", "ES256");
        assertThat(issuer.leeway()).contains(Duration.ofMinutes(2));
        assertThat(issuer.keys().caFile()).contains(Path.of("/var/run/ca.crt"));
        assertThat(issuer.keys().tokenFile()).contains(Path.of("/var/run/token"));
    }

    @Test
    void aByteOrderMarkAndWindowsLineEndsAreIgnored() {
        assertThat(read("\ufeffgrants:\r\n- {subjects: [\"*\"], allow: [{admin: true}]}\r\n")
                        .policy()
                        .grants())
                .hasSize(1);
    }

    @Test
    void httpIsAllowedForLoopbackOnly() {
        var file = read(
                """
                issuers:
                - {name: a, issuer: a, jwks: "http://localhost:8000/keys", audience: x}
                - {name: b, issuer: b, jwks: "http://127.0.0.1/keys", audience: x}
                - {name: c, issuer: c, jwks: "http://[::1]:8/keys?v=1", audience: x}
                grants:
                - {subjects: ["a:*", "b:x", "*"], allow: [{admin: true}]}
                """);

        assertThat(file.issuers()).hasSize(3);
    }
}
