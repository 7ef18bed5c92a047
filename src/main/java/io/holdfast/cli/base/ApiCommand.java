package io.holdfast.cli.base;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.output.OutageNotes;
import io.holdfast.cli.output.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of all commands that do something. */
@Command(footerHeading = "%nExample:%n")
public abstract class ApiCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    public Holdfast holdfast() {
        return (Holdfast) spec.root().userObject();
    }

    public CliEnvironment environment() {
        return holdfast().environment();
    }

    public ApiClient api() {
        return holdfast().api();
    }

    public Output output() {
        return holdfast().output();
    }

    public OutageNotes outages() {
        return new OutageNotes(holdfast().server(), holdfast()::note);
    }

    /** For arguments that are wrong in a way that the parser cannot find. */
    public ParameterException usageError(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
