package io.holdfast.remote;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A certificate for localhost that only its own file vouches for, and servers that show it. */
public final class TestTls {
    private static final String PASSWORD = "changeit";

    private final KeyStore keys;
    private final Path caFile;

    private TestTls(KeyStore keys, Path caFile) {
        this.keys = keys;
        this.caFile = caFile;
    }

    public static TestTls in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        return in(folder, "EC");
    }

    /** @param algorithm of the key */
    public static TestTls in(Path folder, String algorithm)
            throws IOException, InterruptedException, GeneralSecurityException {
        var store = folder.resolve("keys.p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "server",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-ext",
                        "bc:c",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve("keytool.log")));
        }
        var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        var caFile = folder.resolve("ca.crt");
        var pem = Base64.getMimeEncoder()
                .encodeToString(keys.getCertificate("server").getEncoded());
        Files.writeString(caFile, "-----BEGIN CERTIFICATE-----\n" + pem + "\n-----END CERTIFICATE-----\n");
        return new TestTls(keys, caFile);
    }

    /** The certificate in PEM, which is also its own authority. */
    public Path certificateFile() {
        return caFile;
    }

    /** The private key in PEM, as PKCS#8. */
    public Path keyFile() throws IOException, GeneralSecurityException {
        var key = keys.getKey("server", PASSWORD.toCharArray());
        var pem = Base64.getMimeEncoder().encodeToString(key.getEncoded());
        return Files.writeString(
                caFile.resolveSibling("key.pem"),
                "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    }

    public Path caFile() {
        return caFile;
    }

    public Served serve(HttpHandler handler) throws IOException, GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new Served(server, "https", handler);
    }

    /** Asks each client for a certificate that this authority has signed. */
    public Served serveKnown(TestTls clients, HttpHandler handler) throws IOException, GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(
                managers.getKeyManagers(),
                new TrustManager[] {Authorities.in("test", clients.caFile()).trust()},
                null);
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                var tls = context.getDefaultSSLParameters();
                tls.setNeedClientAuth(true);
                parameters.setSSLParameters(tls);
            }
        });
        return new Served(server, "https", handler);
    }

    public static Served servePlain(HttpHandler handler) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        return new Served(server, "http", handler);
    }

    /** A server under way. */
    public static final class Served implements AutoCloseable {
        private final HttpServer server;
        private final String scheme;

        private Served(HttpServer server, String scheme, HttpHandler handler) {
            this.server = server;
            this.scheme = scheme;
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", exchange -> {
                try (exchange) {
                    handler.handle(exchange);
                }
            });
            server.start();
        }

        public URI url(String path) {
            return URI.create(scheme + "://localhost:" + server.getAddress().getPort() + path);
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
