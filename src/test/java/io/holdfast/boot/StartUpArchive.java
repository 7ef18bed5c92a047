package io.holdfast.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a JVM learned in one start of the program, for the many starts that follow: they need about half the time. It is
 * made anew when the program has been packaged anew.
 */
final class StartUpArchive {
    private static final StartUpArchive SERVICE =
            new StartUpArchive("program-start.archive", StartUpArchive::serveOnce);

    /** For a program that lives for a moment: no time is spent on code that will not run long enough to pay for it. */
    static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");

    private final Path archive;
    private final Consumer<List<String>> firstStart;

    /** @param firstStart starts it with these flags, uses it, and ends it */
    StartUpArchive(String file, Consumer<List<String>> firstStart) {
        this.archive = PackagedProgram.TARGET.resolve(file);
        this.firstStart = firstStart;
    }

    /** Of the service. */
    static List<String> flags() {
        return SERVICE.made();
    }

    synchronized List<String> made() {
        if (PackagedProgram.isNative()) {
            return List.of();
        }
        // Other JVMs run tests too. The first one makes it, and the others wait until it is whole.
        try (var lock = FileChannel.open(
                archive.resolveSibling(archive.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            lock.lock();
            if (!current()) {
                Files.deleteIfExists(archive);
                firstStart.accept(with(flag("-XX:AOTCacheOutput=", "-XX:ArchiveClassesAtExit=")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return with(flag("-XX:AOTCache=", "-XX:SharedArchiveFile="));
    }

    private boolean current() throws IOException {
        var packaged = PackagedProgram.TARGET.resolve("quarkus-app/quarkus/generated-bytecode.jar");
        return Files.exists(archive)
                && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(packaged)) > 0;
    }

    private static void serveOnce(List<String> flags) {
        var environment =
                Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString(), "HOLDFAST_DRAIN_DELAY", "0s");
        try (var program = PackagedProgram.launch(environment, flags)) {
            program.awaitReady();
            useOnce(program);
            program.terminate();
            program.awaitExit();
        }
    }

    /** What the first requests load is in the archive too. */
    private static void useOnce(PackagedProgram program) {
        try (var calls = new ProgramCalls(program.address())) {
            var lockId = ProgramCalls.newLockId();
            calls.acquire("archive", "ada", lockId);
            calls.acquire("archive", "bob", ProgramCalls.newLockId());
            calls.renew("archive", "ada", lockId);
            calls.get("/v1/locks/archive");
            calls.release("archive", "ada", lockId);
            calls.get("/v1/locks/never");
        }
    }

    private String flag(String sinceJdk25, String before) {
        return (Runtime.version().feature() >= 25 ? sinceJdk25 : before) + archive;
    }

    private static List<String> with(String flag) {
        var flags = new ArrayList<>(QUICK);
        flags.add(flag);
        return List.copyOf(flags);
    }
}
