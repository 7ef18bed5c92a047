package io.holdfast.actuator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.remote.FakeServer;
import io.holdfast.remote.FakeServer.Request;
import io.holdfast.remote.FakeServer.Response;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An API server that keeps objects with their versions and pods with their labels. It has no controllers: a test
 * removes pods and sets statuses as they would.
 */
final class FakeKubernetes implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FakeServer server = new FakeServer(this::answer);
    private final Map<String, ObjectNode> objects = new HashMap<>();
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final Deque<Runnable> beforeWrites = new ArrayDeque<>();
    private Optional<Response> forAll = Optional.empty();
    private String selector = "app=db";
    private long version = 100;

    record Pod(Map<String, String> labels, String phase) {}

    URI url() {
        return server.url();
    }

    List<Request> requests() {
        return server.requests();
    }

    synchronized void keeps(String path, String json) {
        var object = (ObjectNode) tree(json);
        objects.put(path, object);
        stamp(object);
    }

    synchronized ObjectNode object(String path) {
        return objects.get(path).deepCopy();
    }

    /** What a controller or another person does, without asking. */
    synchronized void becomes(String path, String mergePatch) {
        merge(objects.get(path), tree(mergePatch));
        stamp(objects.get(path));
    }

    synchronized void runs(String pod, Map<String, String> labels, String phase) {
        pods.put(pod, new Pod(labels, phase));
    }

    synchronized void removes(String pod) {
        pods.remove(pod);
    }

    synchronized void selects(String labels) {
        selector = labels;
    }

    /** Runs the action before the next write is looked at, as if somebody else had been faster. */
    synchronized void beforeNextWrite(Runnable action) {
        beforeWrites.add(action);
    }

    synchronized void fails(int status, String message) {
        forAll = Optional.of(failure(status, message));
    }

    synchronized void answersAll(Response response) {
        forAll = Optional.of(response);
    }

    private synchronized Response answer(Request request) {
        if (forAll.isPresent()) {
            return forAll.get();
        }
        var path = request.uri().getPath();
        if (!request.method().equals("GET") && !beforeWrites.isEmpty()) {
            beforeWrites.poll().run();
        }
        if (path.endsWith("/pods")) {
            return Response.of(200, list(request.query()).toString());
        }
        var isScale = path.endsWith("/scale");
        var object = objects.get(isScale ? path.substring(0, path.length() - "/scale".length()) : path);
        if (object == null) {
            return failure(404, path + " not found");
        }
        return switch (request.method()) {
            case "GET" -> Response.of(200, (isScale ? scale(object) : object).toString());
            case "PUT" -> isScale ? rescaled(object, tree(request.body())) : failure(405, "only scales are put");
            case "PATCH" -> patched(object, request);
            default -> failure(405, "no such verb");
        };
    }

    private Response rescaled(ObjectNode object, JsonNode wanted) {
        if (!version(wanted).equals(version(object))) {
            return failure(409, "the object has been modified");
        }
        ((ObjectNode) object.get("spec"))
                .put("replicas", wanted.path("spec").path("replicas").asInt());
        stamp(object);
        return Response.of(200, scale(object).toString());
    }

    private Response patched(ObjectNode object, Request request) {
        if (!"application/merge-patch+json".equals(request.header("Content-Type"))) {
            return failure(415, "unsupported media type");
        }
        var patch = tree(request.body());
        if (!version(patch).isEmpty() && !version(patch).equals(version(object))) {
            return failure(409, "the object has been modified");
        }
        merge(object, patch);
        stamp(object);
        return Response.of(200, object.toString());
    }

    /** As Kubernetes writes it: a spec of zero replicas is left out. */
    private ObjectNode scale(ObjectNode object) {
        var scale = JSON.createObjectNode().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        scale.putObject("metadata").put("resourceVersion", version(object));
        var replicas = object.path("spec").path("replicas").asInt();
        var spec = scale.putObject("spec");
        if (replicas > 0) {
            spec.put("replicas", replicas);
        }
        scale.putObject("status")
                .put("replicas", object.path("status").path("replicas").asInt())
                .put("selector", selector);
        return scale;
    }

    private ObjectNode list(Map<String, String> query) {
        var list = JSON.createObjectNode().put("kind", "PodList").put("apiVersion", "v1");
        var items = list.putArray("items");
        pods.forEach((name, pod) -> {
            if (matches(query.get("labelSelector"), requirement -> labelled(pod, requirement))
                    && matches(query.get("fieldSelector"), requirement -> phased(pod, requirement))) {
                items.addObject().putObject("metadata").put("name", name);
            }
        });
        return list;
    }

    private static boolean matches(String requirements, Predicate<String> met) {
        return Arrays.stream(requirements.split(",")).allMatch(met);
    }

    private static boolean labelled(Pod pod, String requirement) {
        if (requirement.startsWith("!")) {
            return !pod.labels().containsKey(requirement.substring(1));
        }
        var pair = requirement.split("=");
        return pair[1].equals(pod.labels().get(pair[0]));
    }

    private static boolean phased(Pod pod, String requirement) {
        return !requirement.equals("status.phase!=" + pod.phase());
    }

    private static Response failure(int status, String message) {
        return Response.of(
                status,
                JSON.createObjectNode()
                        .put("kind", "Status")
                        .put("status", "Failure")
                        .put("message", message)
                        .put("code", status)
                        .toString());
    }

    private void stamp(ObjectNode object) {
        object.withObject("/metadata").put("resourceVersion", String.valueOf(++version));
    }

    private static String version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }

    private static void merge(ObjectNode into, JsonNode patch) {
        patch.properties().forEach(entry -> {
            if (entry.getValue().isObject()) {
                merge(into.withObject("/" + entry.getKey().replace("~", "~0").replace("/", "~1")), entry.getValue());
            } else {
                into.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
