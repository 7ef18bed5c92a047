package io.holdfast.cli;

import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = {
            "Examine the way to the service, the service, and the settings in effect.",
            "Exit code 4 if it or its store is not well, 1 for any other problem.",
        },
        footer = "  holdfast doctor --timeout 2s")
final class DoctorCommand extends Client {
    /** Its lines speak for themselves. */
    private static final List<Column> COLUMNS =
            List.of(new Column("", "level"), new Column("", "what"), new Column("", "detail"));

    @Override
    public Integer call() {
        var findings = new Checkup(holdfast()).examined();
        screen().report(findings.json(), findings.lines(), COLUMNS);
        return findings.exit();
    }
}
