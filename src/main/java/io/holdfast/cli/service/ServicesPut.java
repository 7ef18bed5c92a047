package io.holdfast.cli.service;

import io.holdfast.cli.app.WorkloadPath;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.BodyFile;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.service.ObserveBody;
import io.holdfast.http.wire.service.PutServiceBody;
import java.time.Duration;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "put",
        description = {
            "Register a service, or replace its registration.",
            "Its status stays. Say where to see what really runs: --url, --kubernetes or",
            "--unobserved.",
        },
        footer = "  holdfast services put mail --url https://mail.example/ --deploy-deadline 20m")
final class ServicesPut extends ApiCommand {
    @Parameters(paramLabel = "NAME", description = "The service's name")
    private String name;

    @Option(names = "--url", paramLabel = "URL", description = "Its health page")
    private String url;

    @Option(names = "--probe", paramLabel = "PROBE", description = "With --url: http-200 (default) or http-cautious")
    private String probe;

    @Option(names = "--kubernetes", paramLabel = "PATH", description = "Its workload: namespace/kind/name")
    private String kubernetes;

    @Option(names = "--unobserved", description = "Observe nothing: only requests change the status")
    private Boolean unobserved;

    @Option(names = "--deploy-deadline", paramLabel = "TIME", description = "Longest time of a deployment")
    private Duration deployDeadline;

    @Option(names = "--file", paramLabel = "FILE", description = "The whole registration as the API's JSON; - is stdin")
    private String file;

    @Override
    public Integer call() {
        var path = ServicesCommand.path(name);
        var flags = Stream.of(url, probe, kubernetes, unobserved, deployDeadline);
        output().object(api().put(path, BodyFile.or(this, file, flags, this::body))
                .orFail()
                .body());
        return Exit.DONE;
    }

    /** A forgotten option would end the observation of a service that is registered. */
    private PutServiceBody body() {
        if (Stream.of(url, kubernetes, unobserved).filter(one -> one != null).count() != 1) {
            throw usageError("Give one of --url, --kubernetes and --unobserved");
        }
        if (probe != null && url == null) {
            throw usageError("--probe needs --url");
        }
        var workload = kubernetes == null ? null : WorkloadPath.parsed(this, kubernetes);
        return new PutServiceBody(
                unobserved == null ? new ObserveBody(workload, url, probe) : null,
                deployDeadline == null ? null : DurationText.wire(deployDeadline));
    }
}
