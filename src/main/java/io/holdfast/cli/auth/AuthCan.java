package io.holdfast.cli.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Column;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "can",
        description = {
            "Ask the service whether you may do this. Exit code 7 if not.",
            "Kinds: locks, apps, databases, services, clusters. For the action admin",
            "leave RESOURCE out.",
        },
        footer = "  holdfast auth can acquire locks/billing/db")
final class AuthCan extends ApiCommand {
    private static final String ADMIN = "admin";

    @Parameters(index = "0", paramLabel = "ACTION", description = "Such as read, acquire, force, stop, submit, admin")
    private String action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RESOURCE",
            description = "Kind and name, such as locks/billing/db")
    private String resource;

    @Override
    public Integer call() {
        if (action.equals(ADMIN) && resource != null) {
            throw usageError("The action admin has no resource");
        }
        if (!action.equals(ADMIN) && (resource == null || !resource.contains("/"))) {
            throw usageError("Name a RESOURCE, such as locks/billing/db, or locks/ for all locks");
        }
        var question = JsonNodeFactory.instance.objectNode().put("action", action);
        if (resource != null) {
            question.put("resource", resource);
        }
        var answer = api().post("/v1/access/can", question).orFail().body();
        if (output().format() == Format.TABLE) {
            output().message(sentence(answer));
        } else {
            output().object(answer);
        }
        return isAllowed(answer) ? Exit.DONE : Exit.FORBIDDEN;
    }

    private static boolean isAllowed(JsonNode answer) {
        return answer.path("allowed").asBoolean();
    }

    private static String sentence(JsonNode answer) {
        var reason = Column.text(answer.path(isAllowed(answer) ? "by" : "missing"), ", ");
        return (isAllowed(answer) ? "Yes" : "No") + (reason.isEmpty() ? "." : ": " + reason);
    }
}
