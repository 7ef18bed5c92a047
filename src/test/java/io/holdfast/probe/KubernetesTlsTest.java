package io.holdfast.probe;

import static io.holdfast.power.AppProbe.Status.DOWN;
import static io.holdfast.power.AppProbe.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.AppProbe.Result;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Token and certificates: who the API server is asked as, and when it is believed. */
class KubernetesTlsTest {
    @TempDir
    private static Path trustedFolder;

    @TempDir
    private static Path otherFolder;

    private static TestTls trusted;
    private static TestTls other;

    @TempDir
    private Path mounted;

    private final KubernetesFake kubernetes = new KubernetesFake();
    private TestTls.Served server;
    private Probes probes;

    @BeforeAll
    static void makeCertificates() throws Exception {
        trusted = TestTls.in(trustedFolder);
        other = TestTls.in(otherFolder);
    }

    @BeforeEach
    void serve() throws Exception {
        server = trusted.serve(kubernetes::answer);
        Files.writeString(tokenFile(), "one.two.three\n");
        Files.copy(trusted.caFile(), caFile());
        probes = probes(server.url(""));
    }

    @AfterEach
    void close() {
        probes.close();
        server.close();
    }

    @Test
    void theTokenIsSentToAnApiServerThatTheCaVouchesFor() {
        assertThat(probed().status()).isEqualTo(DOWN);
        assertThat(kubernetes.authorizations()).hasSize(2).containsOnly(Optional.of("Bearer one.two.three"));
    }

    @Test
    void aRenewedTokenIsTakenUp() throws IOException {
        probed();
        Files.writeString(tokenFile(), "four.five.six");
        probed();

        assertThat(kubernetes.authorizations())
                .startsWith(Optional.of("Bearer one.two.three"))
                .endsWith(Optional.of("Bearer four.five.six"));
    }

    @Test
    void anApiServerThatTheCaDoesNotVouchForIsUnknownAndGetsNoToken() throws IOException {
        Files.writeString(caFile(), Files.readString(other.caFile()));

        assertThat(probed().status()).isEqualTo(UNKNOWN);
        assertThat(kubernetes.asked()).isEmpty();
    }

    @Test
    void aRenewedCaIsTakenUp() throws IOException {
        Files.writeString(caFile(), Files.readString(other.caFile()));
        assertThat(probed().status()).isEqualTo(UNKNOWN);
        Files.writeString(caFile(), Files.readString(other.caFile()) + Files.readString(trusted.caFile()));

        assertThat(probed().status()).isEqualTo(DOWN);
    }

    @Test
    void aCertificateForAnotherNameIsUnknown() {
        var byAddress = probes(URI.create(server.url("").toString().replace("localhost", "127.0.0.1")));

        assertThat(probed(byAddress).status()).isEqualTo(UNKNOWN);
        assertThat(kubernetes.asked()).isEmpty();
        byAddress.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "one.two\nX-Header: three", "s\u00e9cret"})
    void aFileWithoutATokenIsUnknownAndNotShown(String content) throws IOException {
        Files.writeString(tokenFile(), content);

        assertThat(probed()).isEqualTo(Result.unknown("holdfast.probe.kubernetes-token-file holds no token"));
        assertThat(kubernetes.asked()).isEmpty();
    }

    @Test
    void aMissingTokenFileIsUnknownAndNamesItsSetting() throws IOException {
        Files.delete(tokenFile());

        assertThat(probed())
                .isEqualTo(Result.unknown("holdfast.probe.kubernetes-token-file (" + tokenFile() + ") cannot be read"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no certificate"})
    void aCaFileWithoutCertificatesIsUnknown(String content) throws IOException {
        Files.writeString(caFile(), content);

        assertThat(probed()).isEqualTo(Result.unknown("holdfast.probe.kubernetes-ca-file holds no certificates"));
        assertThat(kubernetes.asked()).isEmpty();
    }

    @Test
    void theTokenIsNotSentInTheClear() throws IOException {
        try (var plain = TestTls.servePlain(kubernetes::answer)) {
            var overHttp = probes(plain.url(""));

            assertThat(probed(overHttp).status()).isEqualTo(DOWN);
            assertThat(kubernetes.authorizations()).containsOnly(Optional.empty());
            overHttp.close();
        }
    }

    private Probes probes(URI url) {
        return new Probes(ProbeSettings.PATIENT.withKubernetes(
                new ProbeSettings.Kubernetes(url, Optional.of(tokenFile()), Optional.of(caFile()))));
    }

    private Result probed() {
        return probed(probes);
    }

    private static Result probed(Probes asked) {
        return asked.probe(Sharers.kubernetes(Sharers.WORKLOAD)).await().atMost(Duration.ofSeconds(30));
    }

    private Path tokenFile() {
        return mounted.resolve("token");
    }

    private Path caFile() {
        return mounted.resolve("ca.crt");
    }
}
