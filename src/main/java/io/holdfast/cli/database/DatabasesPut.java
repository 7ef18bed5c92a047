package io.holdfast.cli.database;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.BodyFile;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.database.PutDatabaseBody;
import io.holdfast.kernel.Text;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "put",
        description = "Register a database, or replace its whole registration.",
        footer = "  holdfast databases put i-0abc --type pg --host db --actuator kind=simulated")
final class DatabasesPut extends ApiCommand {
    @Parameters(paramLabel = "ID", description = "EC2 instance id, else host:port")
    private String id;

    @Option(names = "--type", paramLabel = "TYPE", description = "A label, such as postgres")
    private String type;

    @Option(names = "--host", paramLabel = "HOST", description = "Its host. Default: the host in ID")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Its port, probed after a start. Default: the port in ID")
    private Integer port;

    @Option(names = "--ec2-instance-id", paramLabel = "ID", description = "Default: ID, unless it is host:port")
    private String ec2InstanceId;

    @Option(
            names = "--actuator",
            paramLabel = "KEY=VALUE",
            description = "What stops it, one field each; kind=ec2, rds, …")
    private Map<String, String> actuator;

    @Option(names = "--file", paramLabel = "FILE", description = "The whole registration as the API's JSON; - is stdin")
    private String file;

    @Override
    public Integer call() {
        var path = DatabasesCommand.path(Text.name("ID", id));
        var flags = Stream.of(type, host, port, ec2InstanceId, actuator);
        output().object(api().put(path, BodyFile.or(this, file, flags, this::body))
                .orFail()
                .body());
        return Exit.DONE;
    }

    /** Host, port and instance id default to those in the identifier. */
    private PutDatabaseBody body() {
        var colon = id.lastIndexOf(':');
        var isAddress = colon >= 0;
        return new PutDatabaseBody(
                type,
                host == null && isAddress ? id.substring(0, colon) : host,
                port == null && isAddress && ec2InstanceId == null ? port(id.substring(colon + 1)) : port,
                ec2InstanceId == null && !isAddress ? id : ec2InstanceId,
                actuator == null ? null : new ActuatorFlags(this, actuator).body());
    }

    private Integer port(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw usageError("ID must be an EC2 instance id or host:port");
        }
    }
}
