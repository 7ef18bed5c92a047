package io.holdfast.cli.lock;

import io.holdfast.cli.process.ExecLease;
import io.holdfast.cli.api.ApiClient;
import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.CliEnvironment;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.output.CliException;
import io.holdfast.cli.output.Exit;
import io.holdfast.cli.process.ExecLease;
import io.holdfast.http.wire.lock.LockBody;
import io.holdfast.kernel.Text;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which lease is meant. Either the owner or the lock_id tells; the other is looked up. */
final class LeaseOptions {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Option(names = "--owner", paramLabel = "WHO", description = "Who holds it. Default: HOLDFAST_OWNER")
    private String owner;

    @Option(
            names = "--lock-id",
            paramLabel = "UUID",
            description = "Which acquisition; this or --owner is enough. Default: inside exec, that of NAME")
    private String lockId;

    @Option(
            names = "--fencing-token",
            paramLabel = "N",
            description = "Only the lease with this token. Default: inside exec, that of NAME; else any")
    private Long fencingToken;

    /**
     * As the service wants it.
     *
     * @param fencingToken null if it is not known
     */
    record Lease(String name, String lockId, String owner, Long fencingToken) {}

    String name() {
        return Text.name("NAME", name);
    }

    String path() {
        return ApiClient.path("v1", "locks", name());
    }

    /** Only for the very lock that is named: the token of another one says nothing about it. */
    private void takeFromExec(CliEnvironment environment) {
        if (owner != null && lockId == null) {
            return;
        }
        ExecLease.of(name(), environment)
                .filter(lease -> lockId == null || lockId.equals(lease.lockId()))
                .ifPresent(lease -> {
                    lockId = lease.lockId();
                    fencingToken = fencingToken == null ? Long.valueOf(lease.fencingToken()) : fencingToken;
                });
    }

    boolean isNamed() {
        return lockId != null || owner != null || fencingToken != null;
    }

    /** Empty if nobody was ever known to hold it. */
    Optional<Lease> find(ApiCommand client) {
        takeFromExec(client.environment());
        var holder = owner != null || lockId != null ? owner : client.environment().setting(Owners.VARIABLE, null);
        if (holder == null && lockId == null) {
            throw client.usageError("Say which lease is meant: --owner, --lock-id or HOLDFAST_OWNER");
        }
        if (holder != null && lockId != null) {
            return Optional.of(new Lease(name(), lockId, holder, fencingToken));
        }
        var response = client.api().get(path());
        if (response.code().equals("not-found")) {
            return Optional.empty();
        }
        var seen = client.api().read(response.orFail().body(), LockBody.class);
        var known = holder == null ? lockId.equals(seen.lockId()) : holder.equals(seen.owner());
        if (!known) {
            throw new CliException(
                    Exit.REFUSED,
                    "Lock '%s' is not %s's: %s is the last to have taken it."
                            .formatted(name, holder == null ? lockId : holder, seen.owner()));
        }
        var token = fencingToken == null ? Long.valueOf(seen.fencingToken()) : fencingToken;
        return Optional.of(new Lease(name, seen.lockId(), seen.owner(), token));
    }
}
