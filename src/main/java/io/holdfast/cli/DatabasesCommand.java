package io.holdfast.cli;

import picocli.CommandLine.Command;

@Command(
        name = "databases",
        description = "Databases that apps share: register them, see what was decided.",
        subcommands = {
            DatabasesList.class,
            DatabasesShow.class,
            DatabasesDecisions.class,
            DatabasesPut.class,
            DatabasesRemove.class
        },
        footer = "  holdfast databases list")
final class DatabasesCommand extends Group {
    static String path(String id) {
        return Api.path("v1", "databases", id);
    }
}
