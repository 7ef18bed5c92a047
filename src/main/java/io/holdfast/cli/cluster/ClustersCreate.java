package io.holdfast.cli.cluster;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.job.CreateClusterBody;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "create",
        description = {
            "Register a cluster; a CREATE job builds it.",
            "Exit code 3 if an active cluster has this name, platform and base domain.",
        },
        footer = "  holdfast clusters create web --id web --platform aws --base-domain a.example")
final class ClustersCreate extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The cluster's name")
    private String name;

    @Option(names = "--platform", paramLabel = "NAME", required = true, description = "Where it runs, such as aws")
    private String platform;

    @Option(names = "--base-domain", paramLabel = "NAME", required = true, description = "The domain that it is below")
    private String baseDomain;

    @Option(names = "--id", paramLabel = "ID", description = "Makes the command repeatable. Default: generated")
    private String id;

    @Option(names = "--ttl", paramLabel = "TIME", description = "Destroy it after this time. Default: never")
    private Duration ttl;

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "A label that workers can ask for; repeatable")
    private Map<String, String> labels;

    @Override
    public Integer call() {
        var body = new CreateClusterBody(
                id, name, platform, baseDomain, ttl == null ? null : DurationText.wire(ttl), labels);
        output().object(api().post(ClustersCommand.PATH, body).orFail().body());
        return Exit.DONE;
    }
}
