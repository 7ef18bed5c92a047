package io.holdfast.cli.lock;

import static io.holdfast.cli.CliCalls.unique;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliCalls;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Taking, looking at, renewing and giving back a lock. */
public interface LockCommandFacts extends CliCalls {
    @Test
    default void aLockIsTakenShownRenewedAndGivenBack() {
        var name = unique("deploy");

        var taken = good("locks", "acquire", name, "--owner", "ci-42", "--ttl", "10m");
        assertThat(taken)
                .containsPattern("(?m)^name +" + name + "$")
                .containsPattern("(?m)^owner +ci-42$")
                .containsPattern("(?m)^remaining +(10m00s|9m5\\ds)$");

        var status = json("locks", "status", name);
        assertThat(status.path("owner").asText()).isEqualTo("ci-42");
        assertThat(status.path("ttl_ms").asLong()).isEqualTo(600_000);
        assertThat(status.path("waiters").isArray()).isTrue();

        assertThat(good("locks", "status", name))
                .containsPattern("(?m)^status +active$")
                .containsPattern("(?m)^ttl +10m00s$");
        assertThat(good("locks", "renew", name, "--owner", "ci-42", "--ttl", "1d"))
                .containsPattern("(?m)^remaining +(1d00h|23h59m)$");

        var renewed = json("locks", "renew", name, "--owner", "ci-42", "--ttl", "1h00m");
        assertThat(renewed.path("lock_id")).isEqualTo(status.path("lock_id"));
        assertThat(renewed.path("ttl_ms").asLong()).isEqualTo(3_600_000);

        assertThat(good(
                        "locks",
                        "release",
                        name,
                        "--lock-id",
                        status.path("lock_id").asText()))
                .isEqualTo("Released '" + name + "'.\n");
        assertThat(good("locks", "status", name, "--output", "plain")).contains("\nstatus\treleased\n");
        assertThat(json("locks", "release", name, "--owner", "ci-42")
                        .path("released")
                        .asBoolean())
                .isFalse();
        assertThat(good("locks", "release", name, "--owner", "ci-42"))
                .isEqualTo("'" + name + "' is not held: nothing was released.\n");
    }

    @Test
    default void aListCanBeLimited() {
        var stem = unique("limited");
        for (var name : List.of("/a", "/b", "/c")) {
            good("locks", "acquire", stem + name, "--owner", "ada");
        }

        assertThat(json("locks", "list", "--prefix", stem, "--limit", "2")).hasSize(2);
        assertThat(json("locks", "list", "--prefix", stem, "--limit", "9")).hasSize(3);
        assertThat(refused(2, "locks", "list", "--limit", "0")).contains("--limit must be 1 or more");
    }

    /** As in a container or a cron job, where USER is not set. */
    @Test
    default void anOwnerIsNamedAfterTheUserEvenIfTheEnvironmentDoesNot() {
        var name = unique("unnamed");

        var taken = holdfastWith(Map.of("USER", "", "LOGNAME", ""), "locks", "acquire", name, "-o", "json");

        assertThat(CliCalls.parsed(taken.out()).path("owner").asText())
                .matches("(" + System.getProperty("user.name") + "|uid-[0-9]+)@.+-[0-9a-f]{8}");
    }

    @Test
    default void whoComesTooLateIsToldWhoHasItAndGetsNothing() {
        var name = unique("deploy");
        good("locks", "acquire", name, "--owner", "ci-42");

        assertThat(refused(3, "locks", "acquire", name, "--owner", "ci-43"))
                .startsWith("holdfast: Execution blocked: lock '" + name + "' held by ci-42 until ");
        assertThat(refused(3, "locks", "release", name, "--owner", "ci-43"))
                .isEqualTo("holdfast: Lock '%s' does not belong to ci-43: its last owner is ci-42.\n".formatted(name));
        assertThat(refused(
                        3,
                        "locks",
                        "renew",
                        name,
                        "--owner",
                        "ci-42",
                        "--lock-id",
                        "3f0e8b52-6c1d-4c0e-9a57-2f4d1b6a9c10"))
                .startsWith("holdfast: You do not hold lock '" + name + "'");
        assertThat(json("locks", "status", name).path("owner").asText()).isEqualTo("ci-42");
    }

    @Test
    default void twoWithoutANameAreTwoOwners() {
        var name = unique("deploy");
        good("locks", "acquire", name);

        assertThat(refused(3, "locks", "acquire", name)).contains(" held by ");
    }

    @Test
    default void theSameOwnerHasTheSameLeaseAndIsTold() {
        var name = unique("deploy");
        var first = json("locks", "acquire", name, "--owner", "ci-42");

        var again = holdfastWith(Map.of("HOLDFAST_OWNER", "ci-42"), "locks", "acquire", name, "--output", "json");

        assertThat(again.exit()).isZero();
        assertThat(CliCalls.parsed(again.out()).path("lock_id")).isEqualTo(first.path("lock_id"));
        assertThat(again.err()).isEqualTo("holdfast: ci-42 already holds '%s': the same lease.\n".formatted(name));
    }

    @Test
    default void aLockIsTakenAwayByForceWithAReason() {
        var name = unique("stuck");
        good(
                "locks",
                "acquire",
                name,
                "--owner",
                "ci-42",
                "--type",
                "cluster",
                "--email",
                "ada@example.com",
                "--metadata",
                "reason=nightly apply");

        assertThat(refused(2, "locks", "release", name, "--force")).contains("--force needs a --reason.");
        assertThat(good("locks", "release", name, "--force", "--reason", "gone home", "--lock-delay", "1m"))
                .isEqualTo("Took '%s' from ci-42.\n".formatted(name));

        var after = json("locks", "status", name);
        assertThat(after.path("release_reason").asText()).isEqualTo("gone home");
        assertThat(after.path("status").asText()).isEqualTo("releasing");
        assertThat(after.path("metadata").path("reason").asText()).isEqualTo("nightly apply");
        assertThat(refused(1, "locks", "release", name, "--force", "--reason", "again"))
                .isEqualTo("holdfast: Lock '%s' is not held: it is releasing.\n".formatted(name));

        var other = unique("stuck");
        good("locks", "acquire", other, "--owner", "ci-42");
        assertThat(json("locks", "release", other, "--force", "--reason", "gone home")
                        .at("/previous/owner")
                        .asText())
                .isEqualTo("ci-42");
    }

    @Test
    default void locksAreListedByPrefixOwnerAndStatus() {
        var stem = unique("list");
        good("locks", "acquire", stem + "/a", "--owner", "ada", "--ttl", "1d");
        good("locks", "acquire", stem + "/b", "--owner", "bob");
        good("locks", "release", stem + "/b", "--owner", "bob");

        var table = good("locks", "list", "--prefix", stem).lines().toList();
        assertThat(table).hasSize(2);
        assertThat(table.getFirst()).matches("LOCK +OWNER +STATUS +LEFT +TOKEN +TYPE +WAITING");
        assertThat(table.getLast()).matches(stem + "/a  ada    active  (1d00h|23h59m) +\\d+ +generic +0");
        assertThat(good("locks", "list", "--prefix", stem, "--filter", "status=released", "--output", "plain"))
                .matches(stem + "/b\tbob\treleased\t0\t\\d+\tgeneric\t0\n");
        assertThat(json("locks", "list", "--prefix", stem, "--owner", "ada", "--filter", "status=all"))
                .hasSize(1);
        assertThat(json("locks", "list", "--prefix", stem, "--filter", "lock_type=database"))
                .isEmpty();
        assertThat(good("locks", "list", "--prefix", stem + "/none")).isEmpty();
    }

    @Test
    default void aLockIsHeldForAWhile() {
        var name = unique("held");

        var held = holdfast("locks", "hold", name, "--owner", "me", "--for", "300ms");

        assertThat(held.exit()).as(held.toString()).isZero();
        assertThat(held.out()).contains(name);
        assertThat(held.err())
                .isEqualTo(("holdfast: Holding '%s' as me, renewed automatically, for 0.3s;"
                                + " Ctrl-C or SIGTERM releases it earlier.\n")
                        .formatted(name));

        assertThat(json("locks", "status", name).path("status").asText()).isEqualTo("released");
    }

    @Test
    default void whatIsCalledWronglyIsRefusedInOneSentence() {
        for (var words : List.of(
                List.of("locks", "acquire"),
                List.of("locks", "acquire", "a b"),
                List.of("locks", "acquire", "x", "--ttl", "soon"),
                List.of("locks", "acquire", "x", "--ttl", "99d"),
                List.of("locks", "acquire", "x", "--wait", "999999999999d"),
                List.of("locks", "list", "--filter", "colour=red"),
                List.of("locks", "release", "x", "--reason", "why"))) {
            refused(2, words.toArray(String[]::new));
        }
        assertThat(refused(1, "locks", "status", unique("none"))).startsWith("holdfast: There is no lock 'none-");
        assertThat(refused(2, "locks", "list", "--server", "ftp://example"))
                .contains("a URL like http://localhost:8080");
        assertThat(refused(2, "locks", "list", "--server", "127.0.0.1:80"))
                .contains("a URL like http://localhost:8080");
    }

    @Test
    default void whatNobodyEverHeldCanBeGivenBackAndNotRenewed() {
        var name = unique("never");

        assertThat(good("locks", "release", name, "--owner", "ada"))
                .isEqualTo("There is no lock '" + name + "': nothing was released.\n");
        assertThat(json("locks", "release", name, "--owner", "ada")
                        .path("released")
                        .asBoolean(true))
                .isFalse();
        assertThat(refused(3, "locks", "renew", name, "--owner", "ada"))
                .isEqualTo("holdfast: Lock '" + name + "' is not held.\n");
    }
}
