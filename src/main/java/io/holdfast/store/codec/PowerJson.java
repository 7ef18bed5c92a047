package io.holdfast.store.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Brake;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.power.model.PowerState;
import io.holdfast.registry.AppName;
import io.holdfast.registry.DatabaseId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The power state, the brake and decisions as JSON. Uses JSON trees, so it needs no reflection.
 *
 * <p>Reads the names that earlier builds wrote as well: {@code wishes}, {@code holds}, {@code hold_version} and
 * {@code what}. Writes only the new names.
 */
public final class PowerJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PowerJson() {}

    public static String write(PowerState state) {
        var json = NODES.objectNode()
                .put("phase", state.phase().name())
                .put("epoch", state.epoch())
                .put("since", state.since().toEpochMilli())
                .put("claim_version", state.intents().version());
        json.set("stop_requests", times(state.intents().stopRequests()));
        json.set("claims", times(state.intents().startClaims()));
        return json.toString();
    }

    public static PowerState readState(String text) {
        var json = parse(text);
        var intents = new PowerState.Intents(
                either(json, "claim_version", "hold_version").longValue(),
                times(either(json, "stop_requests", "wishes")),
                times(either(json, "claims", "holds")));
        return new PowerState(
                Phase.valueOf(json.required("phase").textValue()),
                json.required("epoch").longValue(),
                time(json.required("since")),
                intents);
    }

    public static String write(Brake brake) {
        var json = NODES.objectNode();
        brake.paused().ifPresent(reason -> json.put("paused", reason));
        var stops = json.putArray("stops");
        brake.stops().forEach(at -> stops.add(at.toEpochMilli()));
        return json.toString();
    }

    public static Brake readBrake(String text) {
        var json = parse(text);
        var stops = new ArrayList<Instant>();
        json.required("stops").forEach(at -> stops.add(time(at)));
        return new Brake(Optional.ofNullable(json.get("paused")).map(JsonNode::textValue), stops);
    }

    public static String write(Decision decision) {
        var json = NODES.objectNode()
                .put("database", decision.database().value())
                .put("type", decision.type())
                .put("result", decision.result().name())
                .put("reason", decision.reason())
                .put("epoch", decision.evidence().epoch())
                .put("at", decision.by().at().toEpochMilli())
                .put("took_ms", decision.by().took().toMillis());
        decision.by().app().ifPresent(app -> json.put("app", app.value()));
        decision.evidence().token().ifPresent(token -> json.put("fencing_token", token.value()));
        var sharers = json.putArray("sharers");
        decision.evidence().sharers().forEach(seen -> sharers.add(seen(seen)));
        return json.toString();
    }

    public static Decision readDecision(String text) {
        var json = parse(text);
        var seen = new ArrayList<Decision.Seen>();
        json.required("sharers").forEach(one -> seen.add(seen(one)));
        var token = Optional.ofNullable(json.get("fencing_token")).map(node -> new FencingToken(node.longValue()));
        return new Decision(
                new DatabaseId(json.required("database").textValue()),
                json.required("type").textValue(),
                Decision.Result.valueOf(either(json, "result", "what").textValue()),
                json.required("reason").textValue(),
                new Decision.Evidence(
                        List.copyOf(seen), token, json.required("epoch").longValue()),
                new Decision.By(
                        Optional.ofNullable(json.get("app")).map(app -> new AppName(app.textValue())),
                        time(json.required("at")),
                        Duration.ofMillis(json.required("took_ms").longValue())));
    }

    /** The field under its name, or under the one that earlier builds wrote. */
    private static JsonNode either(JsonNode json, String name, String earlier) {
        return json.has(name) ? json.get(name) : json.required(earlier);
    }

    private static ObjectNode seen(Decision.Seen seen) {
        var json = NODES.objectNode()
                .put("app", seen.app().value())
                .put("status", seen.status().name())
                .put("detail", seen.detail());
        seen.httpCode().ifPresent(code -> json.put("http_code", code));
        return json;
    }

    private static Decision.Seen seen(JsonNode json) {
        return new Decision.Seen(
                new AppName(json.required("app").textValue()),
                AppStatus.valueOf(json.required("status").textValue()),
                Optional.ofNullable(json.get("http_code")).map(JsonNode::intValue),
                json.required("detail").textValue());
    }

    private static ObjectNode times(Map<AppName, Instant> times) {
        var json = NODES.objectNode();
        times.forEach((app, at) -> json.put(app.value(), at.toEpochMilli()));
        return json;
    }

    private static Map<AppName, Instant> times(JsonNode json) {
        var times = new TreeMap<AppName, Instant>();
        json.properties().forEach(entry -> times.put(new AppName(entry.getKey()), time(entry.getValue())));
        return times;
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.longValue());
    }

    private static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored record is damaged: " + e.getOriginalMessage(), e);
        }
    }
}
