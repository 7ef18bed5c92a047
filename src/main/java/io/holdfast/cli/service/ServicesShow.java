package io.holdfast.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = {
            "Show a service and its latest deployment.",
            "With the move that has led to its status, except in JSON."
        },
        footer = {
            "  holdfast services put billing --url https://billing.example/health",
            "  holdfast services show billing",
        })
final class ServicesShow extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The service's name")
    private String name;

    @Override
    public Integer call() {
        var path = ServicesCommand.path(name);
        var service = api().get(path).orFail().body();
        output().object(output().format() == Format.JSON ? service : explained(service, path));
        return Exit.DONE;
    }

    /** The nested objects are shown field by field, with the move that has led to the status. */
    private ObjectNode explained(JsonNode service, String path) {
        var shown = service.<ObjectNode>deepCopy();
        var observe = shown.remove("observe");
        var deployment = shown.remove("deployment");
        var latest = api().get(path + "/history?limit=1").orFail().body().at("/moves/0");
        // Another version: the service has changed between the two answers.
        if (latest.path("version").equals(service.path("version"))) {
            put(shown, "by", latest.path("by"));
            put(shown, "reason", latest.path("reason"));
            put(shown, "observed", latest.at("/observed/state"));
            put(shown, "observed_detail", latest.at("/observed/detail"));
        }
        if (observe != null) {
            observe.properties().forEach(one -> put(shown, "observe_" + one.getKey(), workload(one.getValue())));
        }
        if (deployment != null) {
            deployment.properties().forEach(one -> put(shown, deploymentField(one.getKey()), one.getValue()));
        }
        return shown;
    }

    /** A workload as {@code --kubernetes} takes it. */
    private static JsonNode workload(JsonNode observed) {
        return observed.isObject()
                ? TextNode.valueOf("%s/%s/%s"
                        .formatted(
                                observed.path("namespace").asText(),
                                observed.path("kind").asText(),
                                observed.path("name").asText()))
                : observed;
    }

    private static String deploymentField(String field) {
        return field.startsWith("deployment_") || field.equals("epoch") ? field : "deployment_" + field;
    }

    private static void put(ObjectNode shown, String field, JsonNode value) {
        if (!value.isMissingNode()) {
            shown.set(field, value);
        }
    }
}
