package io.holdfast.boot;

import io.holdfast.boot.settings.SettingsCheck;
import io.holdfast.kernel.CannotStartException;
import java.util.Locale;
import java.util.Set;

/**
 * Whether log lines are JSON objects. Logging starts before the configuration is read, so this class reads the setting
 * itself.
 */
final class JsonLog {
    private static final String VARIABLE = "HOLDFAST_LOG_JSON";
    private static final Set<String> ON = Set.of("true", "yes", "y", "on", "1");

    private JsonLog() {}

    static boolean isOn() {
        return ON.contains(value().toLowerCase(Locale.ROOT));
    }

    /** Refuses other values: Quarkus reads an empty value as true, and an unknown word as false. */
    static void check() {
        if (!SettingsCheck.isTrueOrFalse(value())) {
            throw new CannotStartException("%s must be true or false, not '%s'.".formatted(VARIABLE, value()));
        }
    }

    private static String value() {
        return System.getProperty(VARIABLE, System.getenv().getOrDefault(VARIABLE, "false"));
    }
}
