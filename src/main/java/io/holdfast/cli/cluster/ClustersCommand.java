package io.holdfast.cli.cluster;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "clusters",
        description = "Register and show clusters. One job at a time runs on each.",
        subcommands = {ClustersList.class, ClustersShow.class, ClustersCreate.class},
        footer = "  holdfast clusters list")
public final class ClustersCommand extends CommandGroup {
    static final String PATH = "/v1/clusters";
}
