package io.holdfast.kernel;

import java.util.List;
import java.util.Optional;

/** Part of a listing. It may be short, or empty, and still have a next one: a page is bounded by work, not by luck. */
public record Page<T>(List<T> items, Optional<Cursor> next) {
    public Page {
        items = List.copyOf(items);
    }
}
