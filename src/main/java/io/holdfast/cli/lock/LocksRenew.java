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
        description = "Prolong a lease that is still held; a lost one never comes back (exit code 3).",
        footer = {
            "  holdfast locks acquire deploy --owner ci-42",
            "  holdfast locks renew deploy --owner ci-42 --ttl 1h",
        })
final class LocksRenew extends ApiCommand {
    @Mixin
    private LeaseOptions options;

    @Option(names = "--ttl", paramLabel = "TIME", description = "How long from now. Default: as last time")
    private Duration ttl;

    @Override
    public Integer call() {
        var lease = options.find(this)
                .orElseThrow(() -> new CliException(Exit.REFUSED, "Nobody holds '%s'.".formatted(options.name())));
        var body = new RenewBody(
                lease.lockId(), lease.owner(), ttl == null ? null : DurationText.wire(ttl), lease.fencingToken());
        var response = api().post(options.path() + "/renew", body).orFail();
        output().object(response.body(), LocksAcquire.SHOWN);
        return Exit.DONE;
    }
}
