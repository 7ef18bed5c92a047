package io.holdfast.cli.lock;

import io.holdfast.cli.base.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "locks",
        description = "Show, acquire, renew, hold and release locks.",
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
