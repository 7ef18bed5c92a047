package io.holdfast.cli;

import io.holdfast.cli.base.ApiCommand;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        description = {
            "Run the service until Ctrl-C or SIGTERM.",
            "Settings come from the environment; an option here overrides its variable.",
        },
        footer = "  holdfast serve --port 9090 --data-dir ./holdfast-data")
final class ServeCommand extends ApiCommand {
    private static final int PORT_MAX = 65_535;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port to listen on; 0 is any free one. Default: QUARKUS_HTTP_PORT, else 8080")
    private Integer port;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Folder of the embedded store. Default: HOLDFAST_DATA_DIR, else data")
    private Path dataDir;

    @Override
    public Integer call() {
        return environment().server().serve(settings());
    }

    private Map<String, String> settings() {
        var settings = new HashMap<String, String>();
        if (port != null) {
            if (port < 0 || port > PORT_MAX) {
                throw usageError("--port must be from 0 to " + PORT_MAX);
            }
            settings.put("quarkus.http.port", port.toString());
        }
        if (dataDir != null) {
            if (dataDir.toString().isBlank()) {
                throw usageError("--data-dir must name a folder");
            }
            settings.put("holdfast.data-dir", dataDir.toString());
        }
        return settings;
    }
}
