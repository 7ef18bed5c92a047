package io.holdfast.cli.app;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.http.wire.database.WorkloadBody;

/** A Kubernetes workload as the user types it, such as {@code shop/Deployment/billing}. */
public final class WorkloadPath {
    private static final int PARTS = 3;

    private WorkloadPath() {}

    /** @throws picocli.CommandLine.ParameterException if the text is not the value of {@code --kubernetes} */
    public static WorkloadBody parsed(ApiCommand command, String text) {
        var parts = text.split("/", -1);
        if (parts.length != PARTS) {
            throw command.usageError("--kubernetes must be namespace/kind/name, such as shop/Deployment/billing");
        }
        return new WorkloadBody(parts[0], parts[1], parts[2]);
    }
}
