package io.holdfast.store.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.lifecycle.model.Deployment;
import io.holdfast.lifecycle.model.DeploymentId;
import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ObserveSpec;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.lifecycle.model.ServiceSpec;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/**
 * Services and moves as JSON. Uses JSON trees, so it needs no reflection. Times have milliseconds. Unknown fields are
 * ignored. An unknown status, or another unknown word, fails with {@link IllegalStateException}.
 */
public final class ServiceJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SPEC = "spec";

    private ServiceJson() {}

    /** The whole service. */
    public static String write(Service service) {
        return state(service).<ObjectNode>set(SPEC, spec(service.spec())).toString();
    }

    public static Service readService(String text) {
        var json = parse(text);
        return known(() -> service(json, spec(json.required(SPEC))));
    }

    /** The service without its spec, for a store that changes the two separately. */
    public static String writeState(Service service) {
        return state(service).toString();
    }

    public static String write(ServiceSpec spec) {
        return spec(spec).toString();
    }

    /** From {@link #writeState} and {@link #write(ServiceSpec)}. */
    public static Service readService(String state, String spec) {
        var json = parse(state);
        var specJson = parse(spec);
        return known(() -> service(json, spec(specJson)));
    }

    private static ObjectNode state(Service service) {
        var json = NODES.objectNode()
                .put("id", service.id().value())
                .put("status", service.status().name())
                .put("version", service.version())
                .put("since", millis(service.since()))
                .put("registered_at", millis(service.registeredAt()));
        service.deployment().ifPresent(deployment -> json.set("deployment", deployment(deployment)));
        return json;
    }

    private static Service service(JsonNode json, ServiceSpec spec) {
        return new Service(
                new ServiceId(text(json, "id")),
                spec,
                ServiceStatus.valueOf(text(json, "status")),
                json.required("version").longValue(),
                time(json, "since"),
                time(json, "registered_at"),
                maybe(json, "deployment").map(ServiceJson::deployment));
    }

    private static ObjectNode deployment(Deployment deployment) {
        var json = NODES.objectNode()
                .put("id", deployment.id().value())
                .put("epoch", deployment.epoch())
                .put("started_at", millis(deployment.startedAt()))
                .put("deadline", millis(deployment.deadline()));
        deployment.reason().ifPresent(reason -> json.put("reason", reason));
        deployment.end().ifPresent(end -> json.putObject("end")
                .put("status", end.status().name())
                .put("rolled_back", end.rolledBack())
                .put("by", end.by().text())
                .put("at", millis(end.at())));
        if (!deployment.earlier().isEmpty()) {
            var earlier = json.putArray("earlier");
            deployment.earlier().forEach(id -> earlier.add(id.value()));
        }
        return json;
    }

    private static Deployment deployment(JsonNode json) {
        return new Deployment(
                new DeploymentId(text(json, "id")),
                json.required("epoch").longValue(),
                time(json, "started_at"),
                time(json, "deadline"),
                maybe(json, "reason").map(JsonNode::textValue),
                maybe(json, "end")
                        .map(end -> new Deployment.End(
                                ServiceStatus.valueOf(text(end, "status")),
                                end.required("rolled_back").booleanValue(),
                                Writer.stored(text(end, "by")),
                                time(end, "at"))),
                StreamSupport.stream(json.path("earlier").spliterator(), false)
                        .map(id -> new DeploymentId(id.textValue()))
                        .toList());
    }

    private static ObjectNode spec(ServiceSpec spec) {
        var json = NODES.objectNode();
        spec.deployDeadline().ifPresent(deadline -> json.put("deploy_deadline_ms", deadline.toMillis()));
        var observe = json.putObject("observe");
        switch (spec.observe()) {
            case ObserveSpec.None none -> observe.put("kind", "none");
            case ObserveSpec.Kubernetes kubernetes ->
                observe.put("kind", "kubernetes")
                        .put("namespace", kubernetes.workload().namespace())
                        .put("workload", kubernetes.workload().kind().text())
                        .put("name", kubernetes.workload().name());
            case ObserveSpec.Url url ->
                observe.put("kind", "url")
                        .put("url", url.url().toString())
                        .put("policy", url.policy().text());
        }
        return json;
    }

    private static ServiceSpec spec(JsonNode json) {
        return new ServiceSpec(
                observe(json.required("observe")),
                maybe(json, "deploy_deadline_ms").map(millis -> Duration.ofMillis(millis.longValue())));
    }

    private static ObserveSpec observe(JsonNode json) {
        var kind = text(json, "kind");
        return switch (kind) {
            case "none" -> new ObserveSpec.None();
            case "kubernetes" ->
                new ObserveSpec.Kubernetes(new Workload(
                        text(json, "namespace"), Workload.Kind.of(text(json, "workload")), text(json, "name")));
            case "url" -> new ObserveSpec.Url(URI.create(text(json, "url")), ProbePolicy.of(text(json, "policy")));
            default -> throw new IllegalStateException("A service has an observation of unknown kind '" + kind + "'.");
        };
    }

    public static String write(Move move) {
        var cause = move.cause();
        var json = NODES.objectNode()
                .put("service", move.service().value())
                .put("version", move.version())
                .put("at", millis(move.at()))
                .put("by", cause.by().text())
                .put("rolled_back", cause.rolledBack());
        move.from().ifPresent(from -> json.put("from", from.name()));
        move.to().ifPresent(to -> json.put("to", to.name()));
        cause.reason().ifPresent(reason -> json.put("reason", reason));
        cause.deployment().ifPresent(deployment -> json.put("deployment", deployment.value()));
        cause.seen()
                .ifPresent(seen ->
                        json.putObject("seen").put("state", seen.state().name()).put("detail", seen.detail()));
        return json.toString();
    }

    public static Move readMove(String text) {
        var json = parse(text);
        return known(() -> move(json));
    }

    private static Move move(JsonNode json) {
        return new Move(
                new ServiceId(text(json, "service")),
                json.required("version").longValue(),
                time(json, "at"),
                maybe(json, "from").map(from -> ServiceStatus.valueOf(from.textValue())),
                maybe(json, "to").map(to -> ServiceStatus.valueOf(to.textValue())),
                new Move.Cause(
                        Writer.stored(text(json, "by")),
                        maybe(json, "reason").map(JsonNode::textValue),
                        maybe(json, "deployment").map(id -> new DeploymentId(id.textValue())),
                        json.required("rolled_back").booleanValue(),
                        maybe(json, "seen")
                                .map(seen -> new Observation(
                                        Observation.State.valueOf(text(seen, "state")), text(seen, "detail")))));
    }

    /** A newer version may have written a word that this one does not know. That is no invalid input of a caller. */
    private static <T> T known(Supplier<T> read) {
        try {
            return read.get();
        } catch (RuntimeException unknown) {
            throw new IllegalStateException("A stored record cannot be read: " + unknown.getMessage(), unknown);
        }
    }

    private static Optional<JsonNode> maybe(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field));
    }

    private static String text(JsonNode json, String field) {
        return json.required(field).textValue();
    }

    private static Instant time(JsonNode json, String field) {
        return Instant.ofEpochMilli(json.required(field).longValue());
    }

    private static long millis(Instant at) {
        return at.toEpochMilli();
    }

    private static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored record is damaged: " + e.getOriginalMessage(), e);
        }
    }
}
