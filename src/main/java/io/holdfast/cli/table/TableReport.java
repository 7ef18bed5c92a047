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

/** One look at the table, after what may have been done to it. */
final class TableReport {
    private final Holdfast holdfast;
    private final ObjectNode seen = JsonNodeFactory.instance.objectNode();

    private TableReport(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** What the door says when it fails is meant for people; whether it helps to ask again only they can tell. */
    static int pay(Holdfast holdfast, BiConsumer<TableReport, TableAdmin> before) {
        try (var table = holdfast.environment().tables().get()) {
            var visit = new TableReport(holdfast);
            visit.seen.put("table", table.table());
            before.accept(visit, table);
            return visit.check(table);
        } catch (IllegalStateException e) {
            var failure = new CliException(Exit.UNAVAILABLE, Output.oneLine("" + e.getMessage()));
            failure.initCause(e);
            throw failure;
        }
    }

    void create(TableAdmin table) {
        var created = table.create();
        seen.put("created", created);
        say((created ? "Created table '%s'." : "Table '%s' was there already.").formatted(table.table()));
    }

    private int check(TableAdmin table) {
        var problems = table.problems();
        var warnings = table.warnings();
        seen.put("fine", problems.isEmpty());
        list("problems", problems);
        list("warnings", warnings);
        if (holdfast.format() != Format.TABLE) {
            holdfast.output().object(seen);
        } else if (problems.isEmpty()) {
            say("Table '%s' is fine.".formatted(table.table()));
        }
        problems.forEach(holdfast::note);
        warnings.forEach(warning -> holdfast.note("Warning: " + warning));
        return problems.isEmpty() ? Exit.DONE : Exit.FAILED;
    }

    private void say(String sentence) {
        holdfast.output().message(sentence);
    }

    private void list(String field, List<String> sentences) {
        var list = seen.putArray(field);
        sentences.forEach(list::add);
    }
}
