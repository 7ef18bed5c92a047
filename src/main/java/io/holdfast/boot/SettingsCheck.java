package io.holdfast.boot;

import io.holdfast.kernel.CannotStartException;
import io.holdfast.lock.SweepConfig;
import io.holdfast.power.PowerConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Set;

/** Checks settings before anything else starts: before the scheduler reads its intervals and before the store opens. */
@Singleton
final class SettingsCheck {
    /** The scheduler starts at 0. */
    private static final int BEFORE_THE_SCHEDULER = -1;

    private static final Set<String> OFF = Set.of("off", "disabled");

    private final SweepConfig sweep;
    private final PowerConfig power;

    SettingsCheck(SweepConfig sweep, PowerConfig power) {
        this.sweep = sweep;
        this.power = power;
    }

    void check(@Observes @Priority(BEFORE_THE_SCHEDULER) StartupEvent event) {
        every("holdfast.sweep.every", sweep.every());
        after("holdfast.sweep.first-after", sweep.firstAfter());
        every("holdfast.power.reconcile-every", power.reconcileEvery());
        after("holdfast.power.reconcile-first-after", power.reconcileFirstAfter());
    }

    private static void every(String key, String value) {
        if (!OFF.contains(value.toLowerCase(Locale.ROOT)) && !isInterval(value)) {
            throw wrong(key, value, ", or off,");
        }
    }

    private static void after(String key, String value) {
        if (!isInterval(value)) {
            throw wrong(key, value, ",");
        }
    }

    private static CannotStartException wrong(String key, String value, String more) {
        return new CannotStartException("%s must be a duration such as 30s, 5m, 24h or PT30S%s not '%s': set %s."
                .formatted(key, more, value, StartFailure.variable(key)));
    }

    /** As the scheduler reads it: ISO 8601, with or without the leading PT. */
    private static boolean isInterval(String value) {
        try {
            Duration.parse(!value.isEmpty() && Character.isDigit(value.charAt(0)) ? "PT" + value : value);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
