package io.holdfast.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.api.ApiResponse;
import io.holdfast.cli.api.TimedResponse;
import io.holdfast.cli.api.TlsFiles;
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

/** Checks what commands depend on: the connection, the service and the settings. Changes nothing. */
final class DoctorChecks {
    private static final int OWNER_LENGTH_MAX = 255;
    private static final long SKEW_MAX_DEFAULT = 1_000;
    private static final int NOT_FOUND = 404;

    private final Holdfast holdfast;
    private final Findings findings = new Findings();

    DoctorChecks(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    Findings run() {
        var api = holdfast.api();
        findings.facts().put("server", api.server()).put("server_source", holdfast.serverSource());
        var token = new TokenChecks(holdfast, findings);
        try {
            service(api, token);
            token.service(api);
        } catch (CliException e) {
            if (token.isUsable()) {
                findings.unavailable("server", e.getMessage());
            }
        }
        token.local();
        settings(api);
        return findings;
    }

    private void service(ApiClient api, TokenChecks token) {
        // The first request opens the connection, so that the round trip of /v1/about does not include that.
        var ready = api.get("/q/health/ready");
        var storeHealth = api.get("/q/health/group/store");
        var about = TimedResponse.get(api, "/v1/about", holdfast.environment().clock());
        var aboutBody = about.answer().isSuccess() ? about.answer().body() : MissingNode.getInstance();
        var isHoldfast = aboutBody.has("version") || ready.body().path("checks").isArray();
        if (!isHoldfast) {
            throw (ready.isSuccess() ? about.answer() : ready).failure();
        }
        reached(api, about);
        version(aboutBody);
        clock(about, aboutBody);
        store(ready, storeHealth, aboutBody);
        if (!about.answer().isSuccess() && about.answer().status() != NOT_FOUND) {
            findings.problem("about", about.answer().failure().getMessage());
        }
        limits(aboutBody.path("limits"));
        token.mode(aboutBody.path("access").asText(""));
        unknownSettings(aboutBody.path("unknown_settings"));
    }

    private void reached(ApiClient api, TimedResponse about) {
        var took = about.roundTrip().toMillis();
        findings.facts().put("round_trip_ms", took);
        findings.ok("server", "%s (%s) answers in %d ms".formatted(api.server(), holdfast.serverSource(), took));
    }

    private void version(JsonNode aboutBody) {
        var clientVersion = Version.number();
        var serviceVersion = aboutBody.path("version").asText("");
        findings.facts().put("client_version", clientVersion);
        if (serviceVersion.isEmpty()) {
            findings.warning("version", clientVersion + "; the service does not report its version");
            return;
        }
        findings.facts().put("server_version", serviceVersion);
        if (clientVersion.equals(serviceVersion)) {
            findings.ok("version", clientVersion + " on both sides");
        } else {
            findings.warning("version", "%s here, %s at the service".formatted(clientVersion, serviceVersion));
        }
    }

    private void clock(TimedResponse about, JsonNode aboutBody) {
        var offset = ClockOffset.of(about, aboutBody.path("time").asText(""));
        if (offset.isEmpty()) {
            findings.warning("clock", "the service does not report its time");
            return;
        }
        var found = offset.get();
        findings.facts().put("clock_offset_ms", found.millis()).put("clock_uncertainty_ms", found.uncertainty());
        var skewMax = aboutBody.path("limits").path("max_clock_skew_ms").asLong(SKEW_MAX_DEFAULT);
        if (found.isBeyond(skewMax)) {
            findings.warning("clock", found.describe() + "; locks do not depend on it, but times may look wrong here");
        } else {
            findings.ok("clock", found.describe());
        }
    }

    /** {@code ready} tells whether the replica serves, {@code storeHealth} whether its store accepts changes. */
    private void store(ApiResponse ready, ApiResponse storeHealth, JsonNode aboutBody) {
        if (aboutBody.has("store")) {
            findings.facts().set("store", aboutBody.path("store"));
        }
        var checks = ready.body().path("checks");
        if (!checks.isArray()) {
            findings.warning("store", "health unknown: /q/health/ready answered %d".formatted(ready.status()));
            return;
        }
        var ofStore = storeHealth.body().path("checks");
        for (var check : checks) {
            if (ofStore.isEmpty() || !check.path("name").asText().equals("store")) {
                health(check, aboutBody);
            }
        }
        ofStore.forEach(check -> health(check, aboutBody));
        if (!ready.isSuccess() && findings.exit() != Exit.UNAVAILABLE) {
            findings.unavailable("store", "the service reports that it is not ready");
        }
    }

    private void health(JsonNode check, JsonNode aboutBody) {
        var name = Column.text(check.path("name"), " ");
        if (check.path("status").asText().equals("UP")) {
            findings.ok(name, name.equals("store") ? (aboutBody.path("store").asText("") + " UP").strip() : "UP");
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
        var tls = holdfast.tlsFiles();
        tls.authorities().ifPresent(file -> {
            findings.facts().put("ca_file", file.toString());
            findings.ok("ca", "%s (%s)".formatted(file, TlsFiles.CA_VARIABLE));
        });
        tls.certificate().ifPresent(file -> {
            findings.facts().put("client_cert_file", file.toString());
            findings.ok("certificate", "%s (%s)".formatted(file, TlsFiles.CERTIFICATE_VARIABLE));
        });
        var owner = holdfast.environment().setting(Owners.VARIABLE, null);
        if (owner == null) {
            findings.ok("owner", Owners.VARIABLE + " is not set; each command generates one");
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
