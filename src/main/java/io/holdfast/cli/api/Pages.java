package io.holdfast.cli.api;

import io.holdfast.cli.output.Listing;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a list of the service page by page. */
public final class Pages {
    /** The service's limit for one page. */
    private static final int SIZE_MAX = 500;

    private final ApiClient api;
    private final String path;
    private final String field;

    private Pages(ApiClient api, String path, String field) {
        this.api = api;
        this.path = path;
        this.field = field;
    }

    public static Pages of(ApiClient api, String path, String field) {
        return new Pages(api, path, field);
    }

    /** @return false if the reader of stdout has closed it */
    public boolean show(Map<String, String> query, Listing listing) {
        return show(query, Integer.MAX_VALUE, listing);
    }

    /** @return false if the reader of stdout has closed it */
    public boolean showFirst(int rowsMax, Listing listing) {
        return show(Map.of(), rowsMax, listing);
    }

    /** @return false if the reader of stdout has closed it */
    public boolean show(Map<String, String> query, int rowsMax, Listing listing) {
        var parameters = new LinkedHashMap<>(query);
        var left = rowsMax;
        while (true) {
            parameters.put("limit", Integer.toString(Math.min(left, SIZE_MAX)));
            var page = api.get(path + ApiClient.query(parameters)).orFail().body();
            if (!listing.page(page.path(field))) {
                return false;
            }
            left -= page.path(field).size();
            var next = page.path("next_cursor").asText("");
            if (next.isEmpty() || page.path("next_cursor").isNull() || left <= 0) {
                listing.end();
                return true;
            }
            parameters.put("cursor", next);
        }
    }
}
