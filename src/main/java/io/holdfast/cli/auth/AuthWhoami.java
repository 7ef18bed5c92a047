package io.holdfast.cli.auth;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.Exit;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "whoami",
        description = "Show the subject of the token, and what is granted to it.",
        footer = "  holdfast auth whoami")
final class AuthWhoami extends ApiCommand {
    private static final List<String> SHOWN = List.of("subject", "issuer", "expires_at", "admin", "grants");

    @Override
    public Integer call() {
        var body = api().get("/v1/access/me").orFail().body();
        output().object(body, SHOWN);
        if (body.path("subject").asText("").isEmpty()) {
            output().message("The service does not ask for tokens.");
        }
        return Exit.DONE;
    }
}
