package io.holdfast.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.TimedResponse;
import io.holdfast.cli.base.Holdfast;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.base.Version;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.kernel.KnownSettings;
import io.holdfast.kernel.Text;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Looks at all that a command depends on. Changes nothing. */
final class DoctorChecks {
    private static final int OWNER_LENGTH_MAX = 255;
    private static final long SKEW_MAX_DEFAULT = 1_000;
    private static final int NOT_FOUND = 404;

    private final Holdfast holdfast;
    private final Findings findings = new Findings();

    DoctorChecks(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    Findings examined() {
        var api = holdfast.api();
        findings.facts().put("server", api.server()).put("server_source", holdfast.serverSource());
        try {
            service(api);
        } catch (CliException e) {
            findings.unavailable("server", e.getMessage());
        }
        settings(api);
        return findings;
    }

    private void service(ApiClient api) {
        // First what needs a connection made, so that the other one's round trip is only that.
        var ready = api.get("/q/health/ready");
        var storeHealth = api.get("/q/health/group/store");
        var about = TimedResponse.get(api, "/v1/about", holdfast.environment().clock());
        var told = about.answer().isSuccess() ? about.answer().body() : MissingNode.getInstance();
        var isHoldfast = told.has("version") || ready.body().path("checks").isArray();
        if (!isHoldfast) {
            throw (ready.isSuccess() ? about.answer() : ready).failure();
        }
        reached(api, about);
        version(told);
        clock(about, told);
        store(ready, storeHealth, told);
        if (!about.answer().isSuccess() && about.answer().status() != NOT_FOUND) {
            findings.problem("about", about.answer().failure().getMessage());
        }
        limits(told.path("limits"));
        unknownSettings(told.path("unknown_settings"));
    }

    private void reached(ApiClient api, TimedResponse about) {
        var took = about.roundTrip().toMillis();
        findings.facts().put("round_trip_ms", took);
        findings.ok("server", "%s (%s) answers in %d ms".formatted(api.server(), holdfast.serverSource(), took));
    }

    private void version(JsonNode told) {
        var ours = Version.number();
        var theirs = told.path("version").asText("");
        findings.facts().put("client_version", ours);
        if (theirs.isEmpty()) {
            findings.warning("version", ours + "; the service does not tell its own");
            return;
        }
        findings.facts().put("server_version", theirs);
        if (ours.equals(theirs)) {
            findings.ok("version", ours + " on both sides");
        } else {
            findings.warning("version", "%s here, %s there".formatted(ours, theirs));
        }
    }

    private void clock(TimedResponse about, JsonNode told) {
        var offset = ClockOffset.of(about, told.path("time").asText(""));
        if (offset.isEmpty()) {
            findings.warning("clock", "the service does not tell its time");
            return;
        }
        var found = offset.get();
        findings.facts().put("clock_offset_ms", found.millis()).put("clock_uncertainty_ms", found.uncertainty());
        var skewMax = told.path("limits").path("max_clock_skew_ms").asLong(SKEW_MAX_DEFAULT);
        if (found.isBeyond(skewMax)) {
            findings.warning("clock", found.words() + "; locks do not depend on it, times shown here may look odd");
        } else {
            findings.ok("clock", found.words());
        }
    }

    /** Ready says whether the replica serves, the other whether its store would take a change. */
    private void store(ApiResponse ready, ApiResponse storeHealth, JsonNode told) {
        if (told.has("store")) {
            findings.facts().set("store", told.path("store"));
        }
        var checks = ready.body().path("checks");
        if (!checks.isArray()) {
            findings.warning(
                    "store", "its health is not shown here: /q/health/ready answered %d".formatted(ready.status()));
            return;
        }
        var ofStore = storeHealth.body().path("checks");
        for (var check : checks) {
            if (ofStore.isEmpty() || !check.path("name").asText().equals("store")) {
                health(check, told);
            }
        }
        ofStore.forEach(check -> health(check, told));
        if (!ready.isSuccess() && findings.exit() != Exit.UNAVAILABLE) {
            findings.unavailable("store", "the service says that it is not ready");
        }
    }

    private void health(JsonNode check, JsonNode told) {
        var name = Column.text(check.path("name"), " ");
        if (check.path("status").asText().equals("UP")) {
            findings.ok(name, name.equals("store") ? (told.path("store").asText("") + " UP").strip() : "UP");
        } else {
            problems(name, check.path("data"));
        }
    }

    private void problems(String name, JsonNode data) {
        for (var problem : data) {
            findings.unavailable(name, Column.text(problem, ", "));
        }
        if (data.isEmpty()) {
            findings.unavailable(name, "DOWN");
        }
    }

    private void limits(JsonNode limits) {
        if (limits.isObject() && !limits.isEmpty()) {
            findings.facts().set("limits", limits);
            findings.ok(
                    "limits",
                    limits.properties().stream()
                            .map(limit -> limit.getKey().replaceFirst("_ms$", "") + " "
                                    + new Column("", limit.getKey()).human(limits))
                            .collect(Collectors.joining(", ")));
        }
    }

    private void unknownSettings(JsonNode unknown) {
        if (unknown.isArray() && !unknown.isEmpty()) {
            findings.facts().set("unknown_settings", unknown);
        }
        for (var setting : unknown) {
            var nearest = Optional.of(setting.path("nearest").asText("")).filter(name -> !name.isEmpty());
            var sentence = new KnownSettings.Unknown(Column.text(setting.path("name"), " "), nearest).sentence();
            findings.warning("settings", "at the service: " + sentence);
        }
    }

    private void settings(ApiClient api) {
        KnownSettings.unknownVariables(holdfast.environment().variables())
                .forEach(unknown -> findings.warning("settings", "here: " + unknown.sentence()));
        var output = holdfast.format().name().toLowerCase(Locale.ROOT);
        var timeout = api.answerMax();
        findings.facts().put("output", output).put("timeout_ms", timeout.toMillis());
        findings.ok("output", output);
        findings.ok("timeout", DurationText.words(timeout));
        holdfast.caFile().ifPresent(file -> {
            findings.facts().put("ca_file", file.toString());
            findings.ok("ca", "%s (%s)".formatted(file, ApiClient.CA_VARIABLE));
        });
        var owner = holdfast.environment().setting(Owners.VARIABLE, null);
        if (owner == null) {
            findings.ok("owner", Owners.VARIABLE + " is not set; each command makes up its own");
            return;
        }
        findings.facts().put("owner", owner);
        try {
            findings.ok("owner", Text.printable(Owners.VARIABLE, owner, OWNER_LENGTH_MAX));
        } catch (InvalidInputException e) {
            findings.problem("owner", e.getMessage());
        }
    }
}
