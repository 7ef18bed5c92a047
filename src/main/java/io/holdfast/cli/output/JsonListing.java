package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;

/** One JSON array over all pages, with one element per line. */
final class JsonListing implements Listing {
    private final PrintStream out;
    private String before = "[\n";

    JsonListing(PrintStream out) {
        this.out = out;
    }

    @Override
    public boolean page(JsonNode rows) {
        for (var row : rows) {
            out.print(before + row);
            before = ",\n";
        }
        return !out.checkError();
    }

    @Override
    public void end() {
        out.println(before.startsWith("[") ? "[]" : "\n]");
        out.flush();
    }
}
