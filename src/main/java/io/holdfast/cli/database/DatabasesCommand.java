package io.holdfast.cli.database;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "databases",
        description = "Register shared databases, and show the decisions about them.",
        subcommands = {
            DatabasesList.class,
            DatabasesShow.class,
            DatabasesDecisions.class,
            DatabasesPut.class,
            DatabasesRemove.class
        },
        footer = "  holdfast databases list")
public final class DatabasesCommand extends CommandGroup {
    static String path(String id) {
        return ApiClient.path("v1", "databases", id);
    }
}
