package io.holdfast.probe;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Who we are to the Kubernetes API and whom we believe to be it. Read anew each time: Kubernetes renews both. */
record KubernetesCredentials(Optional<Path> tokenFile, Optional<Path> caFile) {
    private static final int FILE_BYTES_MAX = 1024 * 1024;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");

    /** The certificates of a file, in PEM. */
    record Authorities(String pem) {
        SSLContext context() {
            try {
                var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
                trusted.load(null, null);
                var certificates = CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
                for (var certificate : certificates) {
                    trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
                }
                var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                managers.init(trusted);
                var context = SSLContext.getInstance("TLS");
                context.init(null, managers.getTrustManagers(), null);
                return context;
            } catch (GeneralSecurityException | IOException e) {
                throw new CannotTellException("holdfast.probe.kubernetes-ca-file holds no certificates");
            }
        }
    }

    Optional<String> token() {
        return tokenFile.map(file -> {
            var token = read("holdfast.probe.kubernetes-token-file", file).strip();
            // The client's complaint about a bad header would show it.
            if (!TOKEN.matcher(token).matches()) {
                throw new CannotTellException("holdfast.probe.kubernetes-token-file holds no token");
            }
            return token;
        });
    }

    Optional<Authorities> authorities() {
        return caFile.map(file -> new Authorities(read("holdfast.probe.kubernetes-ca-file", file)));
    }

    private static String read(String key, Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CannotTellException(key + " (" + file + ") cannot be read");
        }
    }
}
