package io.holdfast.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.cli.output.Exit;
import java.util.Locale;

/** The results of the checks: lines for people, facts for programs. */
final class Findings {
    private enum Level {
        OK,
        WARNING,
        PROBLEM;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final ObjectNode facts = JsonNodeFactory.instance.objectNode();
    private final ArrayNode lines = JsonNodeFactory.instance.arrayNode();
    private Level worst = Level.OK;
    private int exit = Exit.DONE;

    void ok(String what, String detail) {
        add(Level.OK, what, detail);
    }

    void warning(String what, String detail) {
        add(Level.WARNING, what, detail);
    }

    void problem(String what, String detail) {
        add(Level.PROBLEM, what, detail);
        exit = Math.max(exit, Exit.FAILED);
    }

    /** A problem with the service itself. Its exit code takes precedence. */
    void unavailable(String what, String detail) {
        add(Level.PROBLEM, what, detail);
        exit = Exit.UNAVAILABLE;
    }

    ObjectNode facts() {
        return facts;
    }

    ArrayNode lines() {
        return lines;
    }

    ObjectNode json() {
        var all = JsonNodeFactory.instance.objectNode().put("status", worst.word());
        all.setAll(facts);
        all.set("findings", lines);
        return all;
    }

    int exit() {
        return exit;
    }

    private void add(Level level, String what, String detail) {
        worst = worst.compareTo(level) < 0 ? level : worst;
        lines.addObject().put("level", level.word()).put("what", what).put("detail", detail);
    }
}
