package io.holdfast.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What all commands have in common: where the service is, and how to show what it says. */
@Command(
        name = "holdfast",
        description = "Locks over HTTP: the service ('serve', or no arguments) and its client.",
        versionProvider = Version.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast exec --lock nightly-report --wait 5m -- echo done",
        })
final class Holdfast implements Runnable, AutoCloseable {
    static final String SERVER_DEFAULT = "http://localhost:8080";
    static final String SERVER_VARIABLE = "HOLDFAST_URL";

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    /** A command's own options are shown before these. */
    private static final int COMMON = 100;

    @Option(
            names = {"-s", "--server"},
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            order = COMMON,
            description = {"Where the service is. Default: HOLDFAST_URL, else", SERVER_DEFAULT})
    private String server;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            scope = ScopeType.INHERIT,
            defaultValue = "table",
            order = COMMON + 1,
            description = "table, json or plain (tabs, nothing rounded)")
    private Format output;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            scope = ScopeType.INHERIT,
            order = COMMON + 2,
            description = "How long an answer may take. Default: 10s")
    private Duration timeout;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            order = COMMON + 3,
            description = "Show this")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            order = COMMON + 4,
            description = "Show the version")
    private boolean version;

    @Spec
    private CommandSpec spec;

    private final World world;
    private Api api;

    Holdfast(World world) {
        this.world = world;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }

    World world() {
        return world;
    }

    /** The same for all calls of one command. */
    Api api() {
        if (api == null) {
            if (timeout().isZero()) {
                throw new Failure(Exit.USAGE, "--timeout must be longer than nothing.");
            }
            api = new Api(server(), new Patience(timeout(), timeout != null), caFile());
        }
        return api;
    }

    @Override
    public void close() {
        if (api != null) {
            api.close();
        }
    }

    Duration timeout() {
        return timeout == null ? TIMEOUT_DEFAULT : timeout;
    }

    String server() {
        return server == null ? world.setting(SERVER_VARIABLE, SERVER_DEFAULT) : server;
    }

    Optional<Path> caFile() {
        return Optional.ofNullable(world.setting(Api.CA_VARIABLE, null)).map(Path::of);
    }

    /** Where {@link #server()} comes from. */
    String serverSource() {
        if (server != null) {
            return "--server";
        }
        return world.setting(SERVER_VARIABLE, "").isEmpty() ? "default" : SERVER_VARIABLE;
    }

    Screen screen() {
        return new Screen(
                world.streams().out(),
                output,
                new Paint(coloured(world)),
                world.streams().terminals().out() ? this::note : sentence -> {});
    }

    Format output() {
        return output;
    }

    /** Beside the result, for people; scripts read the exit code. */
    void note(String sentence) {
        world.streams().err().println("holdfast: " + Screen.oneLine(sentence));
        world.streams().err().flush();
    }

    static boolean coloured(World world) {
        return world.canRewrite(world.streams().terminals().out())
                && world.setting("NO_COLOR", "").isEmpty();
    }
}
