package io.holdfast.cli.session;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.Owners;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Options of commands that keep locks until they end. */
public final class KeepAliveOptions {
    @Option(names = "--wait", paramLabel = "TIME", description = "How long to queue. Default: do not queue")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "How long the lock survives an outage. Default: 60s")
    private Duration ttl;

    @Option(
            names = "--owner",
            paramLabel = "WHO",
            description = "Who acquires it. Default: HOLDFAST_OWNER, else generated")
    private String owner;

    public Duration waitMax() {
        return wait;
    }

    public Duration ttl() {
        return ttl;
    }

    /** @param about metadata of the lock, besides host and pid */
    public LockRequest request(List<String> names, Map<String, String> about, CliEnvironment environment) {
        var metadata = new HashMap<>(about);
        metadata.put("host", Owners.printable(Owners.host(environment)));
        metadata.put("pid", Long.toString(ProcessHandle.current().pid()));
        var labels = new LockRequest.Labels(null, null, metadata);
        return new LockRequest(
                names, Owners.of(owner, environment), UUID.randomUUID().toString(), ttl, labels);
    }
}
