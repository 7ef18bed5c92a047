package io.holdfast.access;

import io.holdfast.access.AccessStatus.FileProblem;
import io.holdfast.access.file.AccessFile;
import io.holdfast.access.file.AccessFileWatch;
import io.holdfast.access.model.AccessDecision;
import io.holdfast.access.model.Action;
import io.holdfast.access.model.AuthOutcome;
import io.holdfast.access.model.AuthOutcome.Refused;
import io.holdfast.access.model.Caller;
import io.holdfast.access.model.Credentials;
import io.holdfast.access.model.Grant;
import io.holdfast.access.model.NameScope;
import io.holdfast.access.model.Permission;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.access.token.IssuerKeys;
import io.holdfast.access.token.KeyFetcher;
import io.holdfast.kernel.CannotStartException;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;

/**
 * Entry point for access control: authenticates requests and decides by the access file that is in force. Thread-safe
 * and non-blocking. Without an access file it is off: {@link #isOn()} is false, and it accepts no credentials.
 */
public final class AccessService {
    private static final Logger LOG = Logger.getLogger(AccessService.class);

    private final boolean open;
    private final Optional<AccessFileWatch> watch;
    private final AccessLimits limits;
    private final KeyFetcher fetcher;
    private final InstantSource clock;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile AccessInForce inForce;

    public AccessService(AccessModeConfig mode, AccessLimits limits, KeyFetcher fetcher, InstantSource clock) {
        if (mode.access().isPresent() && mode.accessFile().isPresent()) {
            throw new CannotStartException("holdfast.access=open and holdfast.access-file contradict each other:"
                    + " remove HOLDFAST_ACCESS to use the file, or HOLDFAST_ACCESS_FILE to have no access control.");
        }
        this.open = mode.access().isPresent();
        this.watch = mode.accessFile().map(file -> watch(file, limits, clock));
        this.limits = limits;
        this.fetcher = fetcher;
        this.clock = clock;
        this.inForce = version(AccessInForce.NOTHING, Optional.empty());
    }

    private static AccessFileWatch watch(Path file, AccessLimits limits, InstantSource clock) {
        return new AccessFileWatch(file, limits.fileMax(), clock);
    }

    /**
     * Reads the access file for the first time, and begins to fetch the keys of its issuers. Blocks.
     *
     * @throws CannotStartException if the file cannot be used
     */
    public void load() {
        watch.ifPresent(file -> use(file.load()));
    }

    /** Reads the access file again, and fetches keys that are old. Blocks while it reads. */
    public void refresh() {
        watch.flatMap(AccessFileWatch::look).ifPresent(this::use);
        inForce.refreshKeys();
    }

    private void use(AccessFile file) {
        inForce = version(file, Optional.of(inForce));
        inForce.refreshKeys();
        listeners.forEach(AccessService::run);
    }

    private static void run(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.error("A listener of the access file failed", e);
        }
    }

    private AccessInForce version(AccessFile file, Optional<AccessInForce> before) {
        return AccessInForce.of(
                file, before, issuer -> new IssuerKeys(issuer, fetcher, limits.keys(), clock), limits.tokens(), clock);
    }

    /** Whether there is an access file. Fixed for the life of the process. */
    public boolean isOn() {
        return watch.isPresent();
    }

    /** Whether {@code holdfast.access=open} allows every request from every address. */
    public boolean isOpen() {
        return open;
    }

    /** Never fails. Answers at once, unless keys of an issuer have to be fetched: then later, on a worker thread. */
    public Uni<AuthOutcome> authenticate(Credentials credentials) {
        return Uni.createFrom().deferred(() -> inForce.authenticator().authenticate(credentials));
    }

    /** By the grants that are now in force. */
    public AccessDecision decide(Caller caller, Permission permission) {
        return inForce.policy().decide(caller.subject(), permission);
    }

    /** Which names a list may show to the caller. */
    public NameScope scope(Caller caller, ResourceKind kind, Action action) {
        return inForce.policy().scope(caller.subject(), kind, action);
    }

    public List<Grant> grantsOf(Caller caller) {
        return inForce.policy().grantsOf(caller.subject());
    }

    /**
     * Why a caller that was authenticated earlier is not accepted any more: its token has expired, its issuer has
     * removed the key, or the access file no longer has the token or the issuer. For connections that outlive a
     * request. Its grants are not considered: ask {@link #decide} too.
     */
    public Optional<Refused> ended(Caller caller) {
        return inForce.authenticator().ended(caller);
    }

    /** Runs after each change of the file in force, on a worker thread. */
    public void onReload(Runnable listener) {
        listeners.add(listener);
    }

    public AccessStatus status() {
        var version = inForce;
        return new AccessStatus(
                isOn(),
                Optional.of(version.since()).filter(since -> isOn()),
                watch.flatMap(AccessFileWatch::problem)
                        .map(problem -> new FileProblem(problem.sentence(), problem.since())),
                version.issuerStatus());
    }
}
