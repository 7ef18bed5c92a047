package io.holdfast.cli.service;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.service.PutStatusBody;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "set",
        description = {
            "Set the status of a service.",
            "Exit code 3 if the status does not allow it, or the version has changed.",
        },
        footer = {
            "  holdfast services put cart --unobserved",
            "  holdfast services set cart DEPLOYING --reason 'by hand'",
            "  holdfast services set cart STOPPED --reason 'stopped by ada'",
        })
final class ServicesSet extends ApiCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The service's name")
    private String name;

    @Parameters(
            index = "1",
            paramLabel = "STATUS",
            completionCandidates = ServiceStatuses.class,
            description = "The new status, such as STOPPED; DEPLOYING begins a deployment")
    private String status;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; shown in the history")
    private String reason;

    @Option(names = "--if-version", paramLabel = "N", description = "Only if the service still has this version")
    private Long ifVersion;

    @Override
    public Integer call() {
        var body = new PutStatusBody(status, reason, ifVersion);
        output().object(api().put(ServicesCommand.path(name) + "/status", body)
                .orFail()
                .body());
        return Exit.DONE;
    }
}
