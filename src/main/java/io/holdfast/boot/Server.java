package io.holdfast.boot;

import io.holdfast.kernel.CannotStartException;
import io.quarkus.runtime.Quarkus;
import java.util.Map;

/** Runs the service. If it cannot start, the last line on stderr gives the reason in one sentence. */
final class Server {
    private Server() {}

    /**
     * Serves until the process gets a signal to stop. The process ends with the service.
     *
     * @param settings by property name; they override the environment and application.properties
     */
    static int serve(Map<String, String> settings) {
        settings.forEach(System::setProperty);
        try {
            JsonLog.check();
        } catch (CannotStartException e) {
            exit(1, e);
        }
        Quarkus.run(null, Server::exit);
        return 0;
    }

    private static void exit(int code, Throwable failure) {
        if (failure != null) {
            System.err.println(StartFailure.line(failure));
        }
        System.exit(code);
    }
}
