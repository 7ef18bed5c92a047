package io.holdfast.kernel;

import java.util.List;
import java.util.Optional;

/**
 * Part of a listing. A page can be short or empty and still have a next one, because the store bounds the records that
 * it examines for one page.
 */
public record Page<T>(List<T> items, Optional<Cursor> next) {
    public Page {
        items = List.copyOf(items);
    }
}
