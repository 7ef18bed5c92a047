package io.holdfast.kernel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of all settings. The service and the CLI report every name that has Holdfast's prefix and is not in this
 * list, because it is probably misspelt. A test compares the list with the code.
 */
public final class KnownSettings {
    private static final String KEY_PREFIX = "holdfast.";
    private static final String VARIABLE_PREFIX = "HOLDFAST_";

    private static final Set<String> KEYS = Set.of(
            "holdfast.access",
            "holdfast.access-file",
            "holdfast.access.cached-tokens-max",
            "holdfast.access.file-max",
            "holdfast.access.jwks-body-max",
            "holdfast.access.jwks-keep-max",
            "holdfast.access.jwks-pause",
            "holdfast.access.jwks-refresh",
            "holdfast.access.jwks-timeout",
            "holdfast.access.leeway",
            "holdfast.access.reload-every",
            "holdfast.access.token-length-max",
            "holdfast.actuator.aws-parallel-max",
            "holdfast.actuator.call-timeout",
            "holdfast.actuator.ec2-endpoint",
            "holdfast.actuator.rds-endpoint",
            "holdfast.actuator.simulated-duration",
            "holdfast.audit.file",
            "holdfast.audit.queue-max",
            "holdfast.data-dir",
            "holdfast.dynamodb.attempt-timeout",
            "holdfast.dynamodb.attempts-max",
            "holdfast.dynamodb.backoff-base",
            "holdfast.dynamodb.backoff-max",
            "holdfast.dynamodb.sweep-parallel-max",
            "holdfast.dynamodb.table-create",
            "holdfast.embedded.batch-max",
            "holdfast.embedded.change-timeout",
            "holdfast.embedded.file-megabytes-max",
            "holdfast.embedded.probe-every",
            "holdfast.embedded.queue-max",
            "holdfast.embedded.reopen-backoff-base",
            "holdfast.embedded.reopen-backoff-max",
            "holdfast.hold.connections-max",
            "holdfast.hold.tick-max",
            "holdfast.hold.ttl-default",
            "holdfast.http.body-max",
            "holdfast.jobs.attempts-max",
            "holdfast.jobs.deadline-max",
            "holdfast.jobs.deadline.create",
            "holdfast.jobs.deadline.destroy",
            "holdfast.jobs.deadline.janitor-destroy",
            "holdfast.jobs.deadline.scale-workers",
            "holdfast.jobs.heartbeat-every",
            "holdfast.jobs.janitor.every",
            "holdfast.jobs.janitor.first-after",
            "holdfast.jobs.janitor.lock-ttl",
            "holdfast.jobs.janitor.rescue-after",
            "holdfast.jobs.janitor.step-size",
            "holdfast.jobs.lease",
            "holdfast.jobs.list-limit-default",
            "holdfast.jobs.list-limit-max",
            "holdfast.jobs.poll-every",
            "holdfast.jobs.queue-max",
            "holdfast.jobs.retention",
            "holdfast.jobs.retry-delay",
            "holdfast.jobs.retry-delay-max",
            "holdfast.jobs.ttl-max",
            "holdfast.jobs.wait-max",
            "holdfast.jobs.waiting-max",
            "holdfast.kubernetes.ca-file",
            "holdfast.kubernetes.token-file",
            "holdfast.kubernetes.url",
            "holdfast.lifecycle.deploy-deadline",
            "holdfast.lifecycle.deploy-deadline-max",
            "holdfast.lifecycle.events-keep-alive",
            "holdfast.lifecycle.events-max",
            "holdfast.lifecycle.events-poll-every",
            "holdfast.lifecycle.history-retention",
            "holdfast.lifecycle.list-limit-default",
            "holdfast.lifecycle.list-limit-max",
            "holdfast.lifecycle.lock-drift-percent",
            "holdfast.lifecycle.lock-extend-below",
            "holdfast.lifecycle.lock-retry-jitter",
            "holdfast.lifecycle.lock-retry-pause",
            "holdfast.lifecycle.lock-tries",
            "holdfast.lifecycle.lock-ttl",
            "holdfast.lifecycle.observe.crash-restarts",
            "holdfast.lifecycle.observe.crash-window",
            "holdfast.lifecycle.observe.flap-changes",
            "holdfast.lifecycle.observe.remembered-max",
            "holdfast.lifecycle.observe.start-grace",
            "holdfast.lifecycle.reconcile-every",
            "holdfast.lifecycle.reconcile-first-after",
            "holdfast.lifecycle.reconcile-lock-ttl",
            "holdfast.lifecycle.reconcile-parallel-max",
            "holdfast.lifecycle.reconcile-step-size",
            "holdfast.lifecycle.reconciler-ttl",
            "holdfast.lock.cleanup-drain-max",
            "holdfast.lock.cleanups-max",
            "holdfast.lock.list-examined-max",
            "holdfast.lock.list-limit-default",
            "holdfast.lock.list-limit-max",
            "holdfast.lock.lock-delay-max",
            "holdfast.lock.max-clock-skew",
            "holdfast.lock.set-max",
            "holdfast.lock.tombstone-retention",
            "holdfast.lock.ttl-default",
            "holdfast.lock.ttl-max",
            "holdfast.lock.ttl-min",
            "holdfast.lock.observed-max",
            "holdfast.power.answer-max",
            "holdfast.power.decision-retention",
            "holdfast.power.down-for",
            "holdfast.power.start-claim",
            "holdfast.power.lease-margin",
            "holdfast.power.lock-max-retries",
            "holdfast.power.lock-retry-pause",
            "holdfast.power.lock-ttl",
            "holdfast.power.max-stops-per-hour",
            "holdfast.power.min-up-time",
            "holdfast.power.poll-every",
            "holdfast.power.recheck-every",
            "holdfast.power.reconcile-every",
            "holdfast.power.reconcile-first-after",
            "holdfast.power.reconcile-parallel-max",
            "holdfast.power.refused-pause",
            "holdfast.power.shared-db-lock-enabled",
            "holdfast.power.start-lock-max-retries",
            "holdfast.power.start-max",
            "holdfast.power.stop-max",
            "holdfast.probe.api-gateway-url",
            "holdfast.probe.confirmation-pause",
            "holdfast.probe.run-max",
            "holdfast.probe.parallel-max",
            "holdfast.probe.timeout",
            "holdfast.renewal.at-percent",
            "holdfast.renewal.heartbeat-max",
            "holdfast.renewal.leases-max",
            "holdfast.renewal.max-hold-default",
            "holdfast.renewal.max-hold-max",
            "holdfast.store",
            "holdfast.store-check-every",
            "holdfast.strict",
            "holdfast.sweep.every",
            "holdfast.sweep.first-after",
            "holdfast.sweep.lock-ttl",
            "holdfast.sweep.stale-after",
            "holdfast.sweep.step-pause",
            "holdfast.sweep.step-size",
            "holdfast.table",
            "holdfast.wait.callers-max",
            "holdfast.wait.queue-max",
            "holdfast.wait.max",
            "holdfast.wait.poll-max",
            "holdfast.wait.poll-min",
            "holdfast.wait.ticket-ttl");

    /** Read as environment variables only, or set for what {@code exec}, {@code work} and {@code services deploy} start. */
    private static final Set<String> VARIABLES = Set.of(
            "HOLDFAST_ATTEMPT",
            "HOLDFAST_CA_FILE",
            "HOLDFAST_CLIENT_CERT_FILE",
            "HOLDFAST_CLIENT_KEY_FILE",
            "HOLDFAST_CLUSTER",
            "HOLDFAST_DEPLOYMENT_ID",
            "HOLDFAST_DRAIN_DELAY",
            "HOLDFAST_EPOCH",
            "HOLDFAST_FENCING_TOKEN",
            "HOLDFAST_JAVA",
            "HOLDFAST_JOB_ID",
            "HOLDFAST_JOB_TYPE",
            "HOLDFAST_LOCK",
            "HOLDFAST_LOCK_ID",
            "HOLDFAST_LOG_JSON",
            "HOLDFAST_OWNER",
            "HOLDFAST_SERVICE",
            "HOLDFAST_TIMEOUT",
            "HOLDFAST_TOKEN",
            "HOLDFAST_TOKEN_COMMAND",
            "HOLDFAST_TOKEN_COMMAND_TIMEOUT",
            "HOLDFAST_TOKEN_FILE",
            "HOLDFAST_TOKEN_IN_CLEAR",
            "HOLDFAST_TTL",
            "HOLDFAST_URL",
            "HOLDFAST_WORKER");

    /** Names that users try, and the Quarkus setting that they need instead. */
    private static final Map<String, String> QUARKUS_SETTINGS = Map.of(
            "holdfast.port", "quarkus.http.port",
            "holdfast.http.port", "quarkus.http.port",
            "holdfast.host", "quarkus.http.host",
            "holdfast.http.host", "quarkus.http.host",
            "holdfast.log.level", "quarkus.log.level");

    /** {@code HOLDFAST_SERVICE_HOST}, {@code HOLDFAST_PORT_8080_TCP_ADDR}: Kubernetes sets them for each Service. */
    private static final Pattern OF_KUBERNETES = Pattern.compile(
            "HOLDFAST(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_[A-Z]+)?)");

    /** The form of the value that Kubernetes gives to {@code HOLDFAST_PORT}. A user would set a number. */
    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private KnownSettings() {}

    /** A variable or key that Holdfast does not read, with the most similar known one. */
    public record Unknown(String name, Optional<String> nearest) {
        public String sentence() {
            return name + " is not a setting"
                    + nearest.map(known -> "; did you mean " + known + "?").orElse(".");
        }
    }

    public static Set<String> keys() {
        return KEYS;
    }

    public static Set<String> variables() {
        return VARIABLES;
    }

    /** The environment variable that sets a key. */
    public static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** The unknown ones among the environment variables of a process, sorted by name. */
    public static List<Unknown> unknownVariables(Map<String, String> environment) {
        return new TreeSet<>(environment.keySet())
                .stream()
                        .flatMap(name -> unknownVariable(name, environment.get(name)).stream())
                        .toList();
    }

    /** @param value distinguishes a variable that Kubernetes has set from one that a user has set */
    public static Optional<Unknown> unknownVariable(String name, String value) {
        if (isKey(name)) {
            return unknownKey(name);
        }
        var variable = name.toUpperCase(Locale.ROOT);
        if (!variable.startsWith(VARIABLE_PREFIX)
                || VARIABLES.contains(variable)
                || KEYS.stream().anyMatch(key -> variable(key).equals(variable))
                || isOfKubernetes(variable, value)) {
            return Optional.empty();
        }
        var known = Stream.concat(VARIABLES.stream(), KEYS.stream().map(KnownSettings::variable));
        return Optional.of(new Unknown(name, nearest(variable, known, KnownSettings::variable)));
    }

    /** For system properties and properties files, where names of environment variables have no effect. */
    public static Optional<Unknown> unknownKey(String name) {
        var key = name.startsWith("%") ? name.substring(name.indexOf('.') + 1) : name;
        if (key.startsWith(VARIABLE_PREFIX)) {
            return VARIABLES.contains(key)
                    ? Optional.empty()
                    : Optional.of(new Unknown(
                            name, nearestToKey(key.toLowerCase(Locale.ROOT).replace('_', '.'))));
        }
        return !key.startsWith(KEY_PREFIX) || KEYS.contains(key)
                ? Optional.empty()
                : Optional.of(new Unknown(name, nearestToKey(key)));
    }

    /** The most similar key, or else the most similar variable that has no key. */
    private static Optional<String> nearestToKey(String key) {
        return nearest(key, KEYS.stream(), name -> name)
                .or(() -> nearest(variable(key), VARIABLES.stream(), KnownSettings::variable));
    }

    private static boolean isKey(String name) {
        return name.startsWith(KEY_PREFIX);
    }

    private static boolean isOfKubernetes(String variable, String value) {
        return OF_KUBERNETES.matcher(variable).matches()
                || variable.endsWith("_PORT") && ADDRESS.matcher(value).matches();
    }

    /** @param form the form in which keys are compared: as keys, or as variables */
    private static Optional<String> nearest(String typed, Stream<String> known, Function<String, String> form) {
        var names = known.toList();
        return QUARKUS_SETTINGS.entrySet().stream()
                .filter(entry -> form.apply(entry.getKey()).equals(typed))
                .map(entry -> form.apply(entry.getValue()))
                .findFirst()
                .or(() -> Suggestions.nearest(typed, names))
                .or(() -> withAllWords(typed, names));
    }

    /** The shortest name that contains every word of the typed name: HOLDFAST_LOCK_TTL_MAX for HOLDFAST_TTL_MAX. */
    private static Optional<String> withAllWords(String typed, List<String> names) {
        return names.stream()
                .filter(name -> words(name).containsAll(words(typed)))
                .min(Comparator.comparingInt(String::length).thenComparing(name -> name));
    }

    private static Set<String> words(String name) {
        return Arrays.stream(name.split("[^A-Za-z0-9]+")).collect(Collectors.toSet());
    }
}
