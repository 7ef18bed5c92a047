package io.holdfast.cli.api;

import io.holdfast.cli.output.Listing;
import java.util.LinkedHashMap;
import java.util.Map;

/** A list of the service's, page after page. */
public final class Pages {
    /** The service gives no more than this of any list at once. */
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

    /** @return false if nobody reads any more */
    public boolean show(Map<String, String> query, Listing listing) {
        return show(query, Integer.MAX_VALUE, listing);
    }

    /** @return false if nobody reads any more */
    public boolean showFirst(int rowsMax, Listing listing) {
        return show(Map.of(), rowsMax, listing);
    }

    /** @return false if nobody reads any more */
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
