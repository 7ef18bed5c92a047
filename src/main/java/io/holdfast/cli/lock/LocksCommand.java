package io.holdfast.cli.lock;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "locks",
        description = "Look at locks, take them, give them back.",
        subcommands = {
            LocksList.class,
            LocksStatus.class,
            LocksAcquire.class,
            LocksRenew.class,
            LocksRelease.class,
            LocksHold.class
        },
        footer = "  holdfast locks list --prefix terraform-")
public final class LocksCommand extends CommandGroup {}
