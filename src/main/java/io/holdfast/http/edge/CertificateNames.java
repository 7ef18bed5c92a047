package io.holdfast.http.edge;

import io.vertx.core.http.HttpConnection;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The subject alternative names of a client certificate that TLS has verified. */
final class CertificateNames {
    /** Email addresses, DNS names and URIs; by RFC 5280, 4.2.1.6. */
    private static final Set<Integer> KINDS = Set.of(1, 2, 6);

    private CertificateNames() {}

    /** @return in the order of the certificate; empty without one */
    static List<String> of(HttpConnection connection) {
        try {
            var certificates = connection.peerCertificates();
            return certificates == null
                            || certificates.isEmpty()
                            || !(certificates.getFirst() instanceof X509Certificate certificate)
                            || certificate.getSubjectAlternativeNames() == null
                    ? List.of()
                    : names(certificate.getSubjectAlternativeNames());
        } catch (SSLPeerUnverifiedException | CertificateParsingException none) {
            return List.of();
        }
    }

    private static List<String> names(Collection<List<?>> all) {
        return all.stream()
                .filter(name -> KINDS.contains(name.getFirst()))
                .map(name -> String.valueOf(name.get(1)))
                .toList();
    }
}
