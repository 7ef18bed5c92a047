package io.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does something. */
@Command(footerHeading = "%nExample:%n")
abstract class Client implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    Holdfast holdfast() {
        return (Holdfast) spec.root().userObject();
    }

    World world() {
        return holdfast().world();
    }

    Api api() {
        return holdfast().api();
    }

    Screen screen() {
        return holdfast().screen();
    }

    OutageNotes outages() {
        return new OutageNotes(holdfast().server(), holdfast()::note);
    }

    /** It was called in a way that its options do not tell apart. */
    ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
