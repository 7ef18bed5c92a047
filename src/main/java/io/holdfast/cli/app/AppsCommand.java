package io.holdfast.cli.app;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "apps",
        description = "Register apps, and stop and start the databases that they share.",
        subcommands = {AppsList.class, AppsShow.class, AppsPut.class, AppsRemove.class, AppsStop.class, AppsStart.class
        },
        footer = "  holdfast apps list")
public final class AppsCommand extends CommandGroup {
    static String path(String name) {
        return ApiClient.path("v1", "apps", name);
    }
}
