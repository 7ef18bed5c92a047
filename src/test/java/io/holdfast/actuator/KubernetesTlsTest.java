package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.holdfast.power.Actuator.Outcome;
import io.holdfast.power.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server is believed only with a certificate of the configured authority, for the name it is called by. */
class KubernetesTlsTest {
    private static final String PATH = "/apis/postgresql.cnpg.io/v1/namespaces/shop/clusters/orders";
    private static final String PASSWORD = "changeit";

    @TempDir
    static Path certificates;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificate("server", "ip:127.0.0.1");
        certificate("other", "ip:127.0.0.1");
        certificate("elsewhere", "dns:elsewhere.example");
    }

    @Test
    void aServerOfTheAuthorityInTheFileIsBelieved() throws Exception {
        try (var api = serving("server");
                var rig = trusting(api, pem("server"))) {
            assertThat(rig.state()).isEqualTo(State.RUNNING);
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsNot() throws Exception {
        try (var api = serving("server");
                var rig = trusting(api, pem("other"))) {
            assertThat(rig.state()).isEqualTo(State.UNKNOWN);
            assertThat(api.requests()).isEmpty();
        }
    }

    @Test
    void aServerOfAnotherNameIsNot() throws Exception {
        try (var api = serving("elsewhere");
                var rig = trusting(api, pem("elsewhere"))) {
            assertThat(rig.state()).isEqualTo(State.UNKNOWN);
            assertThat(api.requests()).isEmpty();
        }
    }

    @Test
    void aNewAuthorityIsBelievedAsSoonAsItIsInTheFile() throws Exception {
        var authority = Files.copy(pem("other"), folder.resolve("ca.crt"));
        try (var api = serving("server");
                var rig = trusting(api, authority)) {
            assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);

            Files.write(authority, Files.readAllBytes(pem("server")));

            assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        }
    }

    @Test
    void withoutTheFileNobodyIsBelieved() throws Exception {
        var absent = folder.resolve("absent.pem");
        try (var api = serving("server");
                var rig = trusting(api, absent)) {
            assertThat(rig.stop()).isEqualTo(new Outcome.Retry("kubernetes: cannot read " + absent));
            assertThat(api.requests()).isEmpty();
        }
    }

    private Rig trusting(KubernetesStandIn api, Path authority) throws IOException {
        var token = Files.writeString(folder.resolve("token"), "token-1");
        return new Rig(
                ActuatorSettings.at(api.url()).files(token, authority),
                new ActuatorSpec.CloudNativePg("shop", "orders"));
    }

    private static KubernetesStandIn serving(String alias) throws IOException, GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys(alias), PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        var server = HttpsServer.create(StandIn.anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        var api = new KubernetesStandIn(server);
        api.keeps(PATH, "{\"kind\":\"Cluster\",\"status\":{\"readyInstances\":2}}");
        return api;
    }

    private static KeyStore keys(String alias) throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(certificates.resolve(alias + ".p12").toFile(), PASSWORD.toCharArray());
    }

    private static Path pem(String alias) {
        return certificates.resolve(alias + ".pem");
    }

    private static void certificate(String alias, String name) throws Exception {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var command = new ArrayList<>(List.of(keytool, "-genkeypair", "-alias", alias, "-dname", "CN=" + alias));
        command.addAll(List.of("-keyalg", "EC", "-ext", "san=" + name, "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD, "-keystore", alias + ".p12"));
        var process =
                new ProcessBuilder(command).directory(certificates.toFile()).redirectErrorStream(true);
        var running = process.start();
        var said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
        var encoded = Base64.getMimeEncoder()
                .encodeToString(keys(alias).getCertificate(alias).getEncoded());
        Files.writeString(pem(alias), "-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n");
    }
}
