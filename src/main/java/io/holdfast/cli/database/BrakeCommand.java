package io.holdfast.cli.database;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "brake",
        description = "Pause and resume all stops of databases, on all replicas.",
        subcommands = {BrakeShow.class, BrakePause.class, BrakeResume.class},
        footer = "  holdfast brake show")
public final class BrakeCommand extends CommandGroup {
    static final String PATH = "/v1/brake";
}
