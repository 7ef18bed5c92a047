package io.holdfast.cli.output;

import com.fasterxml.jackson.databind.JsonNode;

/** A list that is written while it comes. */
public interface Listing {
    /** @return false if nobody reads any more */
    boolean page(JsonNode rows);

    void end();
}
