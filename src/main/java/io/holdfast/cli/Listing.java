package io.holdfast.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** A list that is written while it comes. */
interface Listing {
    /** @return false if nobody reads any more */
    boolean page(JsonNode rows);

    void end();
}
