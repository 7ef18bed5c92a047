package io.holdfast.cli.service;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.CommandGroup;
import io.holdfast.kernel.Text;
import picocli.CommandLine.Command;

@Command(
        name = "services",
        description = "Register and deploy services, set and follow their status.",
        subcommands = {
            ServicesList.class,
            ServicesShow.class,
            ServicesPut.class,
            ServicesRemove.class,
            ServicesDeploy.class,
            ServicesResult.class,
            ServicesSet.class,
            ServicesHistory.class,
            ServicesWatch.class,
            ReconciliationCommand.class
        },
        footer = "  holdfast services list")
public final class ServicesCommand extends CommandGroup {
    static final String PATH = "/v1/services";

    static String path(String name) {
        return ApiClient.path("v1", "services", Text.name("NAME", name));
    }
}
