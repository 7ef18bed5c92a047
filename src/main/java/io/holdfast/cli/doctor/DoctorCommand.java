package io.holdfast.cli.doctor;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = {
            "Examine the way to the service, the service, and the settings in effect.",
            "Exit code 4 if it or its store is not well, 1 for any other problem.",
        },
        footer = "  holdfast doctor --timeout 2s")
public final class DoctorCommand extends ApiCommand {
    /** Its lines speak for themselves. */
    private static final List<Column> COLUMNS =
            List.of(new Column("", "level"), new Column("", "what"), new Column("", "detail"));

    @Override
    public Integer call() {
        var findings = new DoctorChecks(holdfast()).examined();
        output().report(findings.json(), findings.lines(), COLUMNS);
        return findings.exit();
    }
}
