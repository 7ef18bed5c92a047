package io.holdfast.registry;

import io.holdfast.kernel.InvalidInputException;

/** How it is told whether an app is up. */
public enum ProbePolicy {
    /** 200 is up, any other HTTP answer down, no answer unknown. */
    HTTP_200("http-200"),
    /** Every answer that the app itself gave is up; server errors and silence are unknown. */
    HTTP_CAUTIOUS("http-cautious"),
    /** Down only when the workload is scaled to nothing and its last pod is gone. */
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
