package io.holdfast.cli.auth;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "auth",
        description = "Show who the service takes you for, and what you may do.",
        subcommands = {AuthWhoami.class, AuthCan.class, AuthHash.class},
        footer = "  holdfast auth whoami")
public final class AuthCommand extends CommandGroup {}
