package io.holdfast.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** A list of the service's, page after page. */
final class Pages {
    private final Api api;
    private final String path;
    private final String field;

    private Pages(Api api, String path, String field) {
        this.api = api;
        this.path = path;
        this.field = field;
    }

    static Pages of(Api api, String path, String field) {
        return new Pages(api, path, field);
    }

    /** @return false if nobody reads any more */
    boolean show(Map<String, String> query, Listing listing) {
        var parameters = new LinkedHashMap<>(query);
        while (true) {
            var page = api.get(path + Api.query(parameters)).orFail().body();
            if (!listing.page(page.path(field))) {
                return false;
            }
            var next = page.path("next_cursor").asText("");
            if (next.isEmpty() || page.path("next_cursor").isNull()) {
                listing.end();
                return true;
            }
            parameters.put("cursor", next);
        }
    }
}
