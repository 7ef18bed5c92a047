package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;

import io.holdfast.power.model.AppStatus;
import java.net.URI;
import java.net.URISyntaxException;

/** Maps HTTP answers to the status of an app. */
final class HttpVerdicts {
    private HttpVerdicts() {}

    /** 200 is UP. Any other answer is DOWN, also if a proxy in front of the app sent it. */
    static AppStatus http200(HttpAnswer answer) {
        return answer.code() == 200 ? UP : DOWN;
    }

    /**
     * Only 410 is DOWN: it is not sent by accident. Other 4xx and 5xx are UNKNOWN, because a running app and a gateway
     * without the app both send them; 404, for example, may also mean a wrong path. A redirect to another host is
     * UNKNOWN, because it may come from a gateway.
     */
    static AppStatus cautious(HttpAnswer answer) {
        return switch (answer.code()) {
            case 401, 403, 429 -> UP;
            case 410 -> DOWN;
            default ->
                switch (answer.code() / 100) {
                    case 2 -> UP;
                    case 3 -> redirectsToSameHost(answer) ? UP : UNKNOWN;
                    default -> UNKNOWN;
                };
        };
    }

    /** An app that rejects HEAD may accept GET. */
    static boolean needsGet(HttpAnswer answer) {
        return answer.code() == 405 && answer.method().equals("HEAD");
    }

    private static boolean redirectsToSameHost(HttpAnswer answer) {
        return answer.location()
                .map(location -> {
                    try {
                        var target = answer.url().resolve(new URI(location));
                        return answer.url().getHost().equalsIgnoreCase(target.getHost());
                    } catch (URISyntaxException e) {
                        return false;
                    }
                })
                .orElse(false);
    }
}
