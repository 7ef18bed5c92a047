package io.holdfast.job.model;

import io.holdfast.kernel.Text;

/** The name of a cluster where it runs. Of all clusters with one name, at most one is active. */
public record ClusterName(String name, String platform, String baseDomain) {
    public ClusterName {
        Text.name("name", name);
        Text.name("platform", platform);
        Text.name("base_domain", baseDomain);
    }
}
