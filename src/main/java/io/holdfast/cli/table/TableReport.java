package io.holdfast.cli.table;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.base.TableAdmin;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import io.holdfast.cli.output.Output;
import java.util.List;
import java.util.function.BiConsumer;

/** Checks the table and prints the result. */
final class TableReport {
    private final Holdfast holdfast;
    private final ObjectNode result = JsonNodeFactory.instance.objectNode();

    private TableReport(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** @param before runs before the check */
    static int run(Holdfast holdfast, BiConsumer<TableReport, TableAdmin> before) {
        try (var table = holdfast.environment().tables().open(holdfast.chosenTimeout())) {
            var report = new TableReport(holdfast);
            report.result.put("table", table.table());
            before.accept(report, table);
            return report.check(table);
        } catch (IllegalStateException e) {
            var failure = new CliException(Exit.UNAVAILABLE, Output.oneLine("" + e.getMessage()));
            failure.initCause(e);
            throw failure;
        }
    }

    void create(TableAdmin table) {
        var created = table.create();
        result.put("created", created);
        message((created ? "Created table '%s'." : "Table '%s' already exists.").formatted(table.table()));
    }

    private int check(TableAdmin table) {
        var problems = table.problems();
        var warnings = table.warnings();
        result.put("fine", problems.isEmpty());
        list("problems", problems);
        list("warnings", warnings);
        if (holdfast.format() != Format.TABLE) {
            holdfast.output().object(result);
        } else if (problems.isEmpty()) {
            message("Table '%s' is ready for use.".formatted(table.table()));
        }
        problems.forEach(holdfast::note);
        warnings.forEach(warning -> holdfast.note("Warning: " + warning));
        return problems.isEmpty() ? Exit.DONE : Exit.FAILED;
    }

    private void message(String sentence) {
        holdfast.output().message(sentence);
    }

    private void list(String field, List<String> sentences) {
        var list = result.putArray(field);
        sentences.forEach(list::add);
    }
}
