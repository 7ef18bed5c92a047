package io.holdfast.cli.auth;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "auth",
        description = "Hash a token for the access file.",
        subcommands = AuthHash.class,
        footer = "  holdfast auth hash --generate")
public final class AuthCommand extends CommandGroup {}
