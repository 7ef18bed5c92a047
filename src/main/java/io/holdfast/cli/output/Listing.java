package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;

/** Prints a list page by page. */
public interface Listing {
    /** @return false if the reader of stdout has closed it */
    boolean page(JsonNode rows);

    void end();
}
