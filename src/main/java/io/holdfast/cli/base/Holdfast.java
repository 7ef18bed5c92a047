package io.holdfast.cli.base;

import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.Timeouts;
import io.holdfast.cli.api.TlsFiles;
import io.holdfast.cli.output.AnsiStyle;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import io.holdfast.cli.token.TokenSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The root command, with the options that all commands share. */
@Command(
        name = "holdfast",
        description = "Locks over HTTP: the service ('serve', or no arguments) and its client.",
        versionProvider = Version.class,
        // Without a heading for the commands, all of it fits a small screen.
        commandListHeading = "",
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast exec --lock nightly-report --wait 5m -- echo done",
        })
public final class Holdfast implements Runnable, AutoCloseable {
    static final String SERVER_DEFAULT = "http://localhost:8080";
    static final String SERVER_VARIABLE = "HOLDFAST_URL";
    static final String TIMEOUT_VARIABLE = "HOLDFAST_TIMEOUT";

    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    /** Help shows these after a command's own options. */
    private static final int COMMON = 100;

    @Option(
            names = {"-s", "--server"},
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            order = COMMON,
            description = "Default: HOLDFAST_URL, else " + SERVER_DEFAULT)
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
            description = "Per answer. Default: HOLDFAST_TIMEOUT, else 10s")
    private Duration timeout;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            order = COMMON + 3,
            description = "Show this help")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            order = COMMON + 4,
            description = "Show the version")
    private boolean version;

    @Spec
    private CommandSpec spec;

    private final CliEnvironment environment;
    private ApiClient api;
    private TokenSource tokens;

    public Holdfast(CliEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Name a command");
    }

    public CliEnvironment environment() {
        return environment;
    }

    public ApiClient api() {
        if (api == null) {
            var answerMax = chosenTimeout().orElse(TIMEOUT_DEFAULT);
            api = new ApiClient(server(), new Timeouts(answerMax, timeout != null), tlsFiles(), tokens());
            if (api.isInClear()) {
                TokenSettings.noteInClear(environment, tokens(), this::note);
            }
        }
        return api;
    }

    public TokenSource tokens() {
        if (tokens == null) {
            tokens = TokenSettings.source(environment);
        }
        return tokens;
    }

    @Override
    public void close() {
        if (api != null) {
            api.close();
        }
    }

    /** The longest time for an answer, if the user has set one. */
    public Optional<Duration> chosenTimeout() {
        var chosen = Optional.ofNullable(timeout)
                .or(() -> Optional.ofNullable(environment.setting(TIMEOUT_VARIABLE, null))
                        .map(Holdfast::timeoutOf));
        if (chosen.filter(Duration::isZero).isPresent()) {
            throw new CliException(
                    Exit.USAGE, (timeout == null ? TIMEOUT_VARIABLE : "--timeout") + " must be longer than 0.");
        }
        return chosen;
    }

    private static Duration timeoutOf(String text) {
        try {
            return DurationArgument.parse(text);
        } catch (TypeConversionException e) {
            throw new CliException(Exit.USAGE, "%s: %s.".formatted(TIMEOUT_VARIABLE, e.getMessage()));
        }
    }

    String server() {
        return server == null ? environment.setting(SERVER_VARIABLE, SERVER_DEFAULT) : server;
    }

    public TlsFiles tlsFiles() {
        return new TlsFiles(
                file(TlsFiles.CA_VARIABLE), file(TlsFiles.CERTIFICATE_VARIABLE), file(TlsFiles.KEY_VARIABLE));
    }

    private Optional<Path> file(String variable) {
        return Optional.ofNullable(environment.setting(variable, null)).map(Path::of);
    }

    /** Where {@link #server()} comes from. */
    public String serverSource() {
        if (server != null) {
            return "--server";
        }
        return environment.setting(SERVER_VARIABLE, "").isEmpty() ? "default" : SERVER_VARIABLE;
    }

    public Output output() {
        return new Output(
                environment.streams().out(),
                output,
                new AnsiStyle(coloured(environment)),
                environment.streams().terminals().out() ? this::note : sentence -> {});
    }

    public Format format() {
        return output;
    }

    /** Writes a message for people to stderr. */
    public void note(String sentence) {
        environment.streams().err().println("holdfast: " + Output.oneLine(sentence));
        environment.streams().err().flush();
    }

    public static boolean coloured(CliEnvironment environment) {
        return environment.canRewrite(environment.streams().terminals().out())
                && environment.setting("NO_COLOR", "").isEmpty();
    }
}
