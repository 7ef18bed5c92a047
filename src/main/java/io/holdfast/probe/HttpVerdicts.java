package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;

import io.holdfast.power.model.AppStatus;
import java.net.URI;
import java.net.URISyntaxException;

/** What an HTTP answer says about an app. */
final class HttpVerdicts {
    private HttpVerdicts() {}

    /** 200 is up. Whoever gave another answer, the app or what stands before it, the app is taken for down. */
    static AppStatus http200(HttpAnswer answer) {
        return answer.code() == 200 ? UP : DOWN;
    }

    /**
     * Down is said by 410 alone, which nobody sends by accident. 404 is what a gateway says of an app that is gone, and
     * just as well what a running app says of a path it does not serve; the other 4xx are said by apps and by gateways
     * alike; 5xx is a gateway without its app, or an app in trouble. None of them tells the two apart, so they are
     * unknown. A redirect to another host was not made by the app that was asked.
     */
    static AppStatus cautious(HttpAnswer answer) {
        return switch (answer.code()) {
            case 401, 403, 429 -> UP;
            case 410 -> DOWN;
            default ->
                switch (answer.code() / 100) {
                    case 2 -> UP;
                    case 3 -> pointsToSameHost(answer) ? UP : UNKNOWN;
                    default -> UNKNOWN;
                };
        };
    }

    /** An app that does not know HEAD may know GET. */
    static boolean wantsGet(HttpAnswer answer) {
        return answer.code() == 405 && answer.method().equals("HEAD");
    }

    private static boolean pointsToSameHost(HttpAnswer answer) {
        return answer.location()
                .map(location -> {
                    try {
                        var target = answer.asked().resolve(new URI(location));
                        return answer.asked().getHost().equalsIgnoreCase(target.getHost());
                    } catch (URISyntaxException e) {
                        return false;
                    }
                })
                .orElse(false);
    }
}
