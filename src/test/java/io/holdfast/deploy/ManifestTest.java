package io.holdfast.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parser refuses what an API server refuses. */
class ManifestTest {
    private static final String DEPLOYMENT =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: some
              labels:
                version: "1"
            spec:
              replicas: 1
              selector:
                matchLabels:
                  a: b
              template:
                metadata:
                  labels:
                    a: b
                spec:
                  automountServiceAccountToken: false
                  securityContext:
                    seccompProfile:
                      type: RuntimeDefault
                  containers:
                    - name: some
                      image: some:1
                      env:
                        - name: A
                          value: "1"
                      args:
                        - "2"
                      resources:
                        limits:
                          memory: 1Mi
                      lifecycle:
                        preStop:
                          sleep:
                            seconds: 5
                      readinessProbe:
                        httpGet:
                          path: /
                          port: http
                        periodSeconds: 5
            """;

    @Test
    void aGoodOneIsTaken() {
        assertThat(Manifest.parse(Yaml.document(DEPLOYMENT)).getMetadata().getName())
                .isEqualTo("some");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "replicas: 1, replica: 1",
        "replicas: 1, replicas: one",
        "replicas: 1, replicas: '\"1\"'",
        "labels:, lables:",
        "'version: \"1\"', version: 1",
        "seccompProfile:, seccompprofile:",
        "periodSeconds: 5, periodSecond: 5",
        "periodSeconds: 5, periodSeconds: 5s",
        "periodSeconds: 5, periodSeconds: 5.5",
        "path: /, url: /",
        "seconds: 5, second: 5",
        "'value: \"1\"', value: 1",
        "'- \"2\"', - 2",
        "memory: 1Mi, memory: [1Mi]",
        "automountServiceAccountToken: false, automountServiceAccountToken: 'no'",
        "automountServiceAccountToken: false, automountServiceAccountToken: 0",
        "limits:, limit:",
        "kind: Deployment, kind: Deploymnet",
        "apiVersion: apps/v1, apiVersion: apps/v2",
        "apiVersion: apps/v1, apiversion: apps/v1",
        "image: some:1, image: null",
    })
    void aMisspeltFieldAWrongTypeOrAnUnknownKindIsRefused(String good, String bad) {
        assertThat(DEPLOYMENT).contains(good);
        var broken = Yaml.document(DEPLOYMENT.replace(good, bad));

        assertThatThrownBy(() -> Manifest.parse(broken)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKeyThatStandsTwiceIsRefused() {
        var twice = DEPLOYMENT.replace("image: some:1", "image: some:1\n          image: some:2");

        assertThatThrownBy(() -> Yaml.document(twice))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Duplicate field 'image'");
    }
}
