package io.holdfast.remote;

import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** A certificate that a client shows to a server, with its private key. */
public final class ClientCertificate {
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final String ALIAS = "client";

    private static final Pattern PKCS_8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    /**
     * Reads the certificate with its chain, and its key, both in PEM.
     *
     * @param certificateSetting the setting that names the file
     * @param keySetting the setting that names the key's file
     * @throws UnusableSettingException if a file cannot be read or used
     */
    public static ClientCertificate in(String certificateSetting, Path certificate, String keySetting, Path key) {
        return new ClientCertificate(
                chain(certificateSetting, Authorities.read(certificateSetting, certificate)),
                key(keySetting, Authorities.read(keySetting, key)));
    }

    private static List<X509Certificate> chain(String setting, String pem) {
        try {
            var certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
            if (!certificates.isEmpty()) {
                return certificates.stream().map(X509Certificate.class::cast).toList();
            }
        } catch (GeneralSecurityException e) {
            // Refused below.
        }
        throw new UnusableSettingException(setting + " holds no certificate");
    }

    private static PrivateKey key(String setting, String pem) {
        var found = PKCS_8.matcher(pem);
        if (!found.find()) {
            throw new UnusableSettingException(
                    setting
                            + " must hold an unencrypted PKCS#8 key (BEGIN PRIVATE KEY), as 'openssl pkcs8 -topk8 -nocrypt' writes it");
        }
        var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
        for (var algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException e) {
                // The key may be one of the next algorithm.
            }
        }
        throw new UnusableSettingException(setting + " holds no RSA, EC or EdDSA key");
    }

    public KeyManager manager() {
        return new OneKey();
    }

    /** Shows this certificate to every server that asks for one of its algorithm. */
    private final class OneKey extends X509ExtendedKeyManager {
        private String alias(String... keyTypes) {
            return Arrays.asList(keyTypes)
                            .contains(chain.getFirst().getPublicKey().getAlgorithm())
                    ? ALIAS
                    : null;
        }

        @Override
        public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
            return alias(keyTypes);
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return alias(keyTypes);
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain.toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
