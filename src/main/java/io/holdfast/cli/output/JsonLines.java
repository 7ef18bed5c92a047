package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;

/** One JSON document per line, for a list without an end. */
final class JsonLines implements Listing {
    private final PrintStream out;

    JsonLines(PrintStream out) {
        this.out = out;
    }

    @Override
    public boolean page(JsonNode rows) {
        for (var row : rows) {
            out.println(row);
        }
        return !out.checkError();
    }

    @Override
    public void end() {
        out.flush();
    }
}
