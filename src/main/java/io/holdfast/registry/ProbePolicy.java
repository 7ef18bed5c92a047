package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;

/** How probe results become UP, DOWN or UNKNOWN. */
public enum ProbePolicy {
    /** 200 is UP, any other HTTP answer DOWN, no answer UNKNOWN. */
    HTTP_200("http-200"),
    /** An answer that the app itself must have sent is UP; server errors and no answer are UNKNOWN. */
    HTTP_CAUTIOUS("http-cautious"),
    /** DOWN only if the workload is scaled to 0 and has no pod left. */
    KUBERNETES("kubernetes");

    private final String text;

    ProbePolicy(String text) {
        this.text = text;
    }

    public static ProbePolicy of(String text) {
        for (var policy : values()) {
            if (policy.text.equals(text)) {
                return policy;
            }
        }
        throw new InvalidInputException("probe", "one of http-200, http-cautious, kubernetes");
    }

    public String text() {
        return text;
    }
}
