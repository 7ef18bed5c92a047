package io.holdfast.access.token;

import io.holdfast.access.file.TrustedIssuer;
import io.holdfast.access.token.KeyFetcher.Fetched;
import io.holdfast.kernel.RepeatedProblems;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The keys of one issuer, cached. Fetches them again when they are old and when a token names a key that is not there,
 * but only once per pause. Concurrent requests share a fetch. While the issuer cannot be reached, its old keys stay in
 * use for a limited time. Thread-safe and non-blocking.
 */
public final class IssuerKeys {
    private static final Logger LOG = Logger.getLogger(IssuerKeys.class);

    private final TrustedIssuer issuer;
    private final KeyFetcher fetcher;
    private final KeyTimes times;
    private final InstantSource clock;
    private final RepeatedProblems<String> problems = new RepeatedProblems<>();

    private Optional<KeySet> keys = Optional.empty();
    private Optional<Instant> fetchedAt = Optional.empty();
    private Optional<Instant> triedAt = Optional.empty();
    private Optional<String> problem = Optional.empty();
    private Optional<Uni<Void>> fetching = Optional.empty();

    public IssuerKeys(TrustedIssuer issuer, KeyFetcher fetcher, KeyTimes times, InstantSource clock) {
        this.issuer = issuer;
        this.fetcher = fetcher;
        this.times = times;
        this.clock = clock;
    }

    sealed interface Found {
        /** @param candidates at least one; the signature must be valid with one of them */
        record Keys(List<VerificationKey> candidates) implements Found {}

        /** The issuer has no such key. */
        record None() implements Found {}

        /** It cannot be known now whether the issuer has such a key. */
        record Unavailable() implements Found {}
    }

    /** @param problem why the last fetch failed */
    public record Status(int keys, Optional<Instant> fetchedAt, Optional<String> problem) {}

    public TrustedIssuer issuer() {
        return issuer;
    }

    synchronized Uni<Found> find(Optional<String> kid, String algorithm) {
        var now = clock.instant();
        var inUse = inUse(now);
        var candidates = inUse.map(set -> set.candidates(kid, algorithm)).orElse(List.of());
        if (!candidates.isEmpty()) {
            refreshIfDue();
            return Uni.createFrom().item(new Found.Keys(candidates));
        }
        // The key is there, for another algorithm: to fetch again would not help.
        var unfit = inUse.isPresent() && kid.filter(inUse.get()::has).isPresent();
        if (unfit || !mayFetch(now)) {
            return Uni.createFrom().item(unfit ? new Found.None() : inCache(kid, algorithm));
        }
        return fetch(now).map(done -> inCache(kid, algorithm));
    }

    private synchronized Found inCache(Optional<String> kid, String algorithm) {
        var inUse = inUse(clock.instant());
        var candidates = inUse.map(set -> set.candidates(kid, algorithm)).orElse(List.of());
        if (!candidates.isEmpty()) {
            return new Found.Keys(candidates);
        }
        return inUse.isEmpty() || problem.isPresent() ? new Found.Unavailable() : new Found.None();
    }

    /** Fetches the keys if they are old or missing. Returns at once. */
    public synchronized void refreshIfDue() {
        var now = clock.instant();
        var fresh =
                fetchedAt.filter(at -> isWithin(times.refreshAfter(), at, now)).isPresent();
        if (!fresh && mayFetch(now)) {
            fetch(now);
        }
    }

    /** Whether a signature by this key still counts. */
    synchronized boolean trusts(String fingerprint) {
        return inUse(clock.instant()).filter(set -> set.contains(fingerprint)).isPresent();
    }

    /** Whether the issuer has removed this key. Not so for keys that are only too old to be used. */
    synchronized boolean hasRemoved(String fingerprint) {
        return keys.filter(set -> !set.contains(fingerprint)).isPresent();
    }

    public synchronized Status status() {
        return new Status(inUse(clock.instant()).map(KeySet::size).orElse(0), fetchedAt, problem);
    }

    private Optional<KeySet> inUse(Instant now) {
        return keys.filter(set -> isWithin(times.keepMax(), fetchedAt.orElseThrow(), now));
    }

    /** A clock that was set back does not make keys young for long. */
    private static boolean isWithin(Duration age, Instant at, Instant now) {
        return Duration.between(at, now).abs().compareTo(age) < 0;
    }

    private boolean mayFetch(Instant now) {
        return fetching.isPresent()
                || triedAt.filter(at -> isWithin(times.pause(), at, now)).isEmpty();
    }

    private Uni<Void> fetch(Instant now) {
        if (fetching.isPresent()) {
            return fetching.get();
        }
        triedAt = Optional.of(now);
        // A request that is cancelled does not cancel the fetch, which other requests share.
        var started = fetcher.fetch(issuer.keys())
                .onFailure()
                .recoverWithItem(failure -> new Fetched.Failed(String.valueOf(failure.getMessage())))
                .invoke(this::fetched)
                .replaceWithVoid()
                .memoize()
                .indefinitely();
        fetching = Optional.of(started);
        started.subscribe().with(done -> {});
        return started;
    }

    private synchronized void fetched(Fetched result) {
        var now = clock.instant();
        fetching = Optional.empty();
        switch (result) {
            case Fetched.Keys fetched -> {
                keys = Optional.of(fetched.set());
                fetchedAt = Optional.of(now);
                problem = Optional.empty();
                problems.ended(issuer.name(), now)
                        .ifPresent(ended -> LOG.infof(
                                "Keys of the issuer fetched again issuer=%s failures=%d after=%s",
                                issuer.name(), ended.times(), ended.lasted()));
            }
            case Fetched.Failed failed -> {
                problem = Optional.of(failed.reason());
                problems.occurred(issuer.name(), failed.reason(), now)
                        .ifPresent(report -> LOG.warnf(
                                "Keys of the issuer cannot be fetched issuer=%s jwks=%s reason=\"%s\"%s",
                                issuer.name(), issuer.keys().jwks(), failed.reason(), report.suffix()));
            }
        }
    }
}
