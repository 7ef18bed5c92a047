package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** All of {@link WorkFacts}, on one service. */
class WorkIT {
    private static PackagedProgram program;
    private static ProgramCalls calls;
    private static SideBySide sideBySide;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void serve() {
        PackagedCommand.commandLine();
        program = PackagedProgram.start(
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));
        calls = new ProgramCalls(program.address());
        sideBySide = new SideBySide();
    }

    @AfterAll
    static void stop() {
        sideBySide.close();
        calls.close();
        program.close();
    }

    @TestFactory
    List<DynamicTest> facts() {
        return sideBySide.facts(
                WorkFacts.class, () -> new WorkFacts(program, calls, newFolder()), fact -> new Object[0]);
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory(folder, "fact");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
