package io.holdfast.cli.doctor;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = {
            "Check the connection to the service, the service and the settings.",
            "Exit code 4 if the service or its store is not ready, 1 for other problems.",
        },
        footer = "  holdfast doctor --timeout 2s")
public final class DoctorCommand extends ApiCommand {
    /** Without headings. */
    private static final List<Column> COLUMNS =
            List.of(new Column("", "level"), new Column("", "what"), new Column("", "detail"));

    @Override
    public Integer call() {
        var findings = new DoctorChecks(holdfast()).run();
        output().report(findings.json(), findings.lines(), COLUMNS);
        return findings.exit();
    }
}
