package io.holdfast.cli;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;

/** The command line, command by command. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
class CliTest implements CommandFacts {
    @Override
    public Shell shell() {
        return new ShellInProcess(CliEnvironment.Terminals.NONE);
    }
}
