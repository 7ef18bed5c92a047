package io.holdfast.cli.lock;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.session.Cancellation;
import io.holdfast.cli.session.LockAcquirer;
import io.holdfast.cli.session.LockReleaser;
import io.holdfast.cli.session.LockRequest;
import io.holdfast.kernel.Text;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "acquire",
        description = "Acquire a lock, or show who holds it (exit code 3).",
        footer = "  holdfast locks acquire deploy --owner ci-42 --ttl 10m --wait 1m")
final class LocksAcquire extends ApiCommand {
    static final List<String> SHOWN =
            List.of("name", "owner", "lock_id", "fencing_token", "expires_at", "remaining_ms");

    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Option(
            names = "--owner",
            paramLabel = "WHO",
            description = "Who acquires it. Default: HOLDFAST_OWNER, else generated")
    private String owner;

    @Option(names = "--ttl", paramLabel = "TIME", description = "How long the lease lasts. Default: 30m")
    private Duration ttl;

    @Option(names = "--wait", paramLabel = "TIME", description = "How long to queue. Default: do not queue")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--lock-id",
            paramLabel = "UUID",
            description = "Idempotency key for a repeated request. Default: a new one")
    private String lockId;

    @Option(names = "--type", paramLabel = "TYPE", description = "generic, database, cluster, service or system")
    private String type;

    @Option(names = "--email", paramLabel = "ADDRESS", description = "Address of a contact")
    private String email;

    @Option(names = "--metadata", paramLabel = "KEY=VALUE", description = "Shown to others; may be repeated")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Override
    public Integer call() {
        var request = new LockRequest(
                List.of(Text.name("NAME", name)),
                Owners.of(owner, environment()),
                lockId == null ? UUID.randomUUID().toString() : lockId,
                ttl,
                new LockRequest.Labels(type, email, metadata.isEmpty() ? null : metadata),
                lockId != null);
        var cancellation = new Cancellation();
        if (!request.named()) {
            // With a lock_id of the user's own, the next command can find and release the lock.
            environment().signals().listen((signal, number) -> cancellation.request(number));
        }
        var acquired = LockAcquirer.acquire(this, request, wait, cancellation);
        if (!acquired.isNew()) {
            holdfast().note("%s already holds '%s': the same lease.".formatted(request.owner(), name));
        }
        output().object(acquired.answer(), SHOWN);
        if (cancellation.isRequested()) {
            LockReleaser.releaseQuietly(api(), request);
            throw cancellation.failure();
        }
        return Exit.DONE;
    }
}
