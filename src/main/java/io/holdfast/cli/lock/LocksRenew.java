package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Exit;
import io.holdfast.http.wire.lock.RenewBody;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "renew",
        description = "Renew a lease; one that has ended cannot be renewed (exit code 3).",
        footer = {
            "  holdfast locks acquire deploy --owner ci-42",
            "  holdfast locks renew deploy --owner ci-42 --ttl 1h",
        })
final class LocksRenew extends ApiCommand {
    @Mixin
    private LeaseOptions options;

    @Option(names = "--ttl", paramLabel = "TIME", description = "How long from now. Default: the same as before")
    private Duration ttl;

    @Override
    public Integer call() {
        var lease = options.find(this)
                .orElseThrow(() -> new CliException(Exit.REFUSED, "Lock '%s' is not held.".formatted(options.name())));
        var body = new RenewBody(
                lease.lockId(), lease.owner(), ttl == null ? null : DurationText.wire(ttl), lease.fencingToken());
        var response = api().post(options.path() + "/renew", body).orFail();
        output().object(response.body(), LocksAcquire.SHOWN);
        return Exit.DONE;
    }
}
