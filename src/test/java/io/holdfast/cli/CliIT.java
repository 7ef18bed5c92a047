package io.holdfast.cli;

import io.holdfast.boot.PackagedCommand;
import io.holdfast.boot.PackagedProgram;
import io.holdfast.boot.SideBySide;
import io.restassured.RestAssured;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The same as {@link CliTest} of the packaged program, by processes. */
class CliIT {
    private static PackagedProgram program;
    private static SideBySide sideBySide;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void serve() {
        PackagedCommand.commandLine();
        program = PackagedProgram.start(
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));
        RestAssured.port = program.address().getPort();
        sideBySide = new SideBySide();
    }

    @AfterAll
    static void stop() {
        sideBySide.close();
        RestAssured.reset();
        program.close();
    }

    private static final class Facts implements CommandFacts {
        @Override
        public Shell shell() {
            return new ShellOfProcesses();
        }
    }

    /** Those that need a file get a folder for it. */
    @TestFactory
    List<DynamicTest> facts() {
        return sideBySide.facts(
                CommandFacts.class,
                Facts::new,
                fact -> fact.getParameterCount() == 0 ? new Object[0] : new Object[] {folder});
    }
}
