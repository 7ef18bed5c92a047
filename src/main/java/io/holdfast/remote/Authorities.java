package io.holdfast.remote;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Trusted CA certificates.
 *
 * @param key the setting that names their file
 * @param pem one or more certificates
 */
public record Authorities(String key, String pem) {
    private static final int FILE_BYTES_MAX = 1024 * 1024;

    /** @throws UnusableSettingException if the file cannot be read */
    public static Authorities in(String key, Path file) {
        return new Authorities(key, read(key, file));
    }

    /** Reads the file that a setting names, up to 1 MiB. */
    static String read(String key, Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UnusableSettingException(key + " (" + file + ") cannot be read");
        }
    }

    /** @throws UnusableSettingException if there is no valid certificate */
    public TrustManager trust() {
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

    private UnusableSettingException noCertificates() {
        return new UnusableSettingException(key + " holds no certificates");
    }
}
