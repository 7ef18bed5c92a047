package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;
import java.util.regex.Pattern;

/** A Kubernetes Deployment or StatefulSet. */
public record Workload(String namespace, Kind kind, String name) {
    public enum Kind {
        DEPLOYMENT("Deployment", "deployments"),
        STATEFUL_SET("StatefulSet", "statefulsets");

        private final String text;
        private final String plural;

        Kind(String text, String plural) {
            this.text = text;
            this.plural = plural;
        }

        public static Kind of(String text) {
            for (var kind : values()) {
                if (kind.text.equals(text)) {
                    return kind;
                }
            }
            throw new InvalidInputException("kubernetes.kind", "one of Deployment, StatefulSet");
        }

        public String text() {
            return text;
        }

        public String plural() {
            return plural;
        }
    }

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    public Workload {
        namespace(namespace);
        objectName("kubernetes.name", name);
    }

    public static String namespace(String value) {
        if (value == null || !DNS_LABEL.matcher(value).matches()) {
            throw new InvalidInputException("kubernetes.namespace", "a Kubernetes namespace");
        }
        return value;
    }

    public static String objectName(String field, String value) {
        if (value == null || !DNS_SUBDOMAIN.matcher(value).matches()) {
            throw new InvalidInputException(field, "the name of a Kubernetes object");
        }
        return value;
    }
}
