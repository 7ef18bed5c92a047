package io.holdfast.remote;

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
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Who we are to the Kubernetes API and whom we believe to be it. Read anew each time: Kubernetes renews both. */
record KubernetesCredentials(Optional<Path> tokenFile, Optional<Path> caFile) {
    private static final int FILE_BYTES_MAX = 1024 * 1024;
    private static final String TOKEN_KEY = "holdfast.kubernetes.token-file";
    private static final String CA_KEY = "holdfast.kubernetes.ca-file";
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");

    /** The certificates of a file, in PEM. */
    record Authorities(String pem) {
        TrustManager trust() {
            try {
                var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
                trusted.load(null, null);
                var certificates = CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
                if (certificates.isEmpty()) {
                    throw noCertificates();
                }
                for (var certificate : certificates) {
                    trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
                }
                var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                managers.init(trusted);
                return managers.getTrustManagers()[0];
            } catch (GeneralSecurityException | IOException e) {
                throw noCertificates();
            }
        }

        private static UnusableSettingException noCertificates() {
            return new UnusableSettingException(CA_KEY + " holds no certificates");
        }
    }

    Optional<String> token() {
        return tokenFile.map(file -> {
            var token = read(TOKEN_KEY, file).strip();
            // The client's complaint about a bad header would show it.
            if (!TOKEN.matcher(token).matches()) {
                throw new UnusableSettingException(TOKEN_KEY + " holds no token");
            }
            return token;
        });
    }

    Optional<Authorities> authorities() {
        return caFile.map(file -> new Authorities(read(CA_KEY, file)));
    }

    private static String read(String key, Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UnusableSettingException(key + " (" + file + ") cannot be read");
        }
    }
}
