package io.holdfast.cli.lock;

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

/** Options that name a lease: by owner or by lock_id. The other one is looked up. */
final class LeaseOptions {
    @Parameters(paramLabel = "NAME", description = "The lock's name")
    private String name;

    @Option(names = "--owner", paramLabel = "WHO", description = "Its owner. Default: HOLDFAST_OWNER")
    private String owner;

    @Option(
            names = "--lock-id",
            paramLabel = "UUID",
            description = "Its lock_id; this or --owner is enough. Default: inside exec, that of NAME")
    private String lockId;

    @Option(
            names = "--fencing-token",
            paramLabel = "N",
            description = "Only the lease with this token. Default: inside exec, that of NAME; else any")
    private Long fencingToken;

    /** @param fencingToken null if it is not known */
    record Lease(String name, String lockId, String owner, Long fencingToken) {}

    String name() {
        return Text.name("NAME", name);
    }

    String path() {
        return ApiClient.path("v1", "locks", name());
    }

    /** Uses the variables of an enclosing {@code exec}, but only for a lock that it holds. */
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

    /** Empty if the service does not know the lock. */
    Optional<Lease> find(ApiCommand command) {
        takeFromExec(command.environment());
        var holder =
                owner != null || lockId != null ? owner : command.environment().setting(Owners.VARIABLE, null);
        if (holder == null && lockId == null) {
            throw command.usageError("Name the lease with --owner, --lock-id or HOLDFAST_OWNER");
        }
        if (holder != null && lockId != null) {
            return Optional.of(new Lease(name(), lockId, holder, fencingToken));
        }
        var response = command.api().get(path());
        if (response.code().equals("not-found")) {
            return Optional.empty();
        }
        var current = command.api().read(response.orFail().body(), LockBody.class);
        var matches = holder == null ? lockId.equals(current.lockId()) : holder.equals(current.owner());
        if (!matches) {
            throw new CliException(
                    Exit.REFUSED,
                    "Lock '%s' does not belong to %s: its last owner is %s."
                            .formatted(name, holder == null ? lockId : holder, current.owner()));
        }
        var token = fencingToken == null ? Long.valueOf(current.fencingToken()) : fencingToken;
        return Optional.of(new Lease(name, current.lockId(), current.owner(), token));
    }
}
