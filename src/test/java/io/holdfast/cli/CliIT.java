package io.holdfast.cli;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged program, by processes. */
@QuarkusIntegrationTest
class CliIT extends CliTest {
    @Override
    public Shell shell() {
        return new ShellOfProcesses();
    }
}
