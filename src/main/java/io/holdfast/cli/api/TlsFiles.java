package io.holdfast.cli.api;

import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.remote.Authorities;
import io.holdfast.remote.ClientCertificate;
import io.holdfast.remote.UnusableSettingException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The files for https, in PEM.
 *
 * @param authorities the only certificate authorities to trust; if empty, those that the machine trusts
 * @param certificate shown to a service that asks for one; only together with the key
 */
public record TlsFiles(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
    public static final String CA_VARIABLE = "HOLDFAST_CA_FILE";
    public static final String CERTIFICATE_VARIABLE = "HOLDFAST_CLIENT_CERT_FILE";
    public static final String KEY_VARIABLE = "HOLDFAST_CLIENT_KEY_FILE";

    public static final TlsFiles NONE = new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());

    /** @throws CliException if only one of certificate and key is given */
    public TlsFiles {
        if (certificate.isPresent() != key.isPresent()) {
            throw new CliException(
                    Exit.USAGE, "Set both %s and %s, or neither.".formatted(CERTIFICATE_VARIABLE, KEY_VARIABLE));
        }
    }

    /**
     * Empty if the default of the machine is to be used.
     *
     * @throws CliException if a file cannot be used
     */
    Optional<SSLContext> context() {
        if (equals(NONE)) {
            return Optional.empty();
        }
        try {
            var keys = certificate
                    .map(file -> new KeyManager[] {
                        ClientCertificate.in(CERTIFICATE_VARIABLE, file, KEY_VARIABLE, key.orElseThrow())
                                .manager()
                    })
                    .orElse(null);
            var trusted = authorities
                    .map(file -> new TrustManager[] {
                        Authorities.in(CA_VARIABLE, file).trust()
                    })
                    .orElse(null);
            return Optional.of(context(keys, trusted));
        } catch (UnusableSettingException e) {
            throw new CliException(Exit.USAGE, e.getMessage() + ".");
        }
    }

    /** For plain HTTP. Saves the time to read the machine's trusted certificates. */
    static SSLContext trustingNone() {
        return context(null, new TrustManager[0]);
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trusted) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(keys, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
