package io.holdfast.cli.database;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "brake",
        description = "Pause all stops of databases, on all replicas, and let them go on.",
        subcommands = {BrakeShow.class, BrakePause.class, BrakeResume.class},
        footer = "  holdfast brake show")
public final class BrakeCommand extends CommandGroup {
    static final String PATH = "/v1/brake";
}
