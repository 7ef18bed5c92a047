package io.holdfast.boot.settings;

import io.holdfast.job.JobConfig;
import io.holdfast.kernel.CannotStartException;
import io.holdfast.kernel.KnownSettings;
import io.holdfast.kernel.UnknownSettings;
import io.holdfast.lifecycle.LifecycleConfig;
import io.holdfast.lock.sweep.SweepConfig;
import io.holdfast.power.model.PowerConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** Checks settings at start, before the scheduler reads its intervals and before the store opens. */
@Singleton
public final class SettingsCheck {
    private static final String PORT = "quarkus.http.port";
    private static final int PORT_MAX = 65_535;
    private static final String STORE_CHECK = "holdfast.store-check-every";
    /** Boolean settings. SmallRye Config reads every unknown word as false, also a misspelt true. */
    static final Set<String> SWITCHES =
            Set.of("holdfast.dynamodb.table-create", "holdfast.power.shared-db-lock-enabled", "holdfast.strict");

    private static final Logger LOG = Logger.getLogger(SettingsCheck.class);

    /** The scheduler starts at priority 0. */
    private static final int BEFORE_THE_SCHEDULER = -1;

    private static final Set<String> OFF = Set.of("off", "disabled");
    private static final Set<String> TRUE_OR_FALSE =
            Set.of("true", "false", "yes", "no", "y", "n", "on", "off", "1", "0");

    private final Config config;
    private final StartConfig start;
    private final SweepConfig sweep;
    private final PowerConfig power;
    private final JobConfig jobs;
    private final LifecycleConfig services;
    private final List<SettingSources.Found> unknown;

    SettingsCheck(
            Config config,
            StartConfig start,
            SweepConfig sweep,
            PowerConfig power,
            JobConfig jobs,
            LifecycleConfig services) {
        this.config = config;
        this.start = start;
        this.sweep = sweep;
        this.power = power;
        this.jobs = jobs;
        this.services = services;
        this.unknown = SettingSources.unknown(config);
    }

    @Produces
    @Singleton
    UnknownSettings unknown() {
        return new UnknownSettings(
                unknown.stream().map(SettingSources.Found::setting).distinct().toList());
    }

    void check(@Observes @Priority(BEFORE_THE_SCHEDULER) StartupEvent event) {
        unknown.forEach(found -> LOG.warnf(
                "Unknown setting ignored setting=%s nearest=%s source=\"%s\"",
                found.setting().name(), found.setting().nearest().orElse("none"), found.source()));
        SWITCHES.forEach(this::trueOrFalse);
        if (start.strict() && !unknown.isEmpty()) {
            throw new CannotStartException(unknown().all().stream()
                    .map(KnownSettings.Unknown::sentence)
                    .collect(Collectors.joining(" ", "", " Correct or remove it, or set HOLDFAST_STRICT=false.")));
        }
        port();
        every("holdfast.sweep.every", sweep.every());
        after("holdfast.sweep.first-after", sweep.firstAfter());
        every("holdfast.power.reconcile-every", power.reconcileEvery());
        after("holdfast.power.reconcile-first-after", power.reconcileFirstAfter());
        every("holdfast.jobs.janitor.every", jobs.janitor().every());
        after("holdfast.jobs.janitor.first-after", jobs.janitor().firstAfter());
        every("holdfast.lifecycle.reconcile-every", services.reconcileEvery());
        after("holdfast.lifecycle.reconcile-first-after", services.reconcileFirstAfter());
        Optional.ofNullable(config.getConfigValue(STORE_CHECK).getValue())
                .ifPresent(value -> every(STORE_CHECK, value));
    }

    private void trueOrFalse(String key) {
        var value = config.getConfigValue(key).getValue();
        if (value != null && !isTrueOrFalse(value)) {
            throw new CannotStartException(
                    "%s must be true or false, not '%s': set %s.".formatted(key, value, KnownSettings.variable(key)));
        }
    }

    private void port() {
        var port = config.getOptionalValue(PORT, Integer.class).orElse(0);
        if (port < 0 || port > PORT_MAX) {
            throw new CannotStartException("%s must be from 0 to %d, not '%d': set %s."
                    .formatted(PORT, PORT_MAX, port, KnownSettings.variable(PORT)));
        }
    }

    public static boolean isTrueOrFalse(String value) {
        return TRUE_OR_FALSE.contains(value.toLowerCase(Locale.ROOT));
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
                .formatted(key, more, value, KnownSettings.variable(key)));
    }

    /** In the format of the scheduler: ISO 8601, with or without the leading PT. */
    private static boolean isInterval(String value) {
        try {
            Duration.parse(!value.isEmpty() && Character.isDigit(value.charAt(0)) ? "PT" + value : value);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
