package io.holdfast.cli.session;

import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.Owners;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Option;

/** How a lock is taken that is kept until something is done. */
public final class KeepAliveOptions {
    @Option(names = "--wait", paramLabel = "TIME", description = "How long to stand in line. Default: not at all")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "How long the lock outlasts a lost connection. Default: 60s")
    private Duration ttl;

    @Option(names = "--owner", paramLabel = "WHO", description = "Who we are. Default: HOLDFAST_OWNER, else made up")
    private String owner;

    public Duration waitMax() {
        return wait;
    }

    public Duration ttl() {
        return ttl;
    }

    /** @param about what others should see besides where it is wanted */
    public LockRequest wish(List<String> names, Map<String, String> about, CliEnvironment environment) {
        var metadata = new HashMap<>(about);
        metadata.put("host", Owners.printable(Owners.host(environment)));
        metadata.put("pid", Long.toString(ProcessHandle.current().pid()));
        var labels = new LockRequest.Labels(null, null, metadata);
        return new LockRequest(
                names, Owners.of(owner, environment), UUID.randomUUID().toString(), ttl, labels);
    }
}
