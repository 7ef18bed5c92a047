package io.holdfast.store.dynamodb;

import static io.holdfast.kernel.Settings.requireAtLeast;

import io.holdfast.job.port.JobStore;
import io.holdfast.lifecycle.port.LifecycleStore;
import io.holdfast.lock.port.LockRules;
import io.holdfast.lock.port.LockStore;
import io.holdfast.power.port.PowerStore;
import io.holdfast.registry.RegistryStore;
import io.holdfast.store.StoreCheck;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.call.Attributes;
import io.holdfast.store.dynamodb.call.ClockGuard;
import io.holdfast.store.dynamodb.call.DynamoDbCalls;
import io.holdfast.store.dynamodb.call.DynamoDbConfig;
import io.holdfast.store.dynamodb.call.Partition;
import io.holdfast.store.dynamodb.database.DatabaseQuery;
import io.holdfast.store.dynamodb.database.DynamoDbPowerStore;
import io.holdfast.store.dynamodb.database.DynamoDbRegistryStore;
import io.holdfast.store.dynamodb.job.DynamoDbJobStore;
import io.holdfast.store.dynamodb.lock.DynamoDbLockStore;
import io.holdfast.store.dynamodb.service.DynamoDbLifecycleStore;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The stores of all capabilities on one DynamoDB table, which many replicas may share. */
public final class DynamoDbStore implements StoreCheck {
    private static final Logger LOG = Logger.getLogger(DynamoDbStore.class);

    private final DynamoDbAsyncClient client;
    private final DynamoDbConfig config;
    private final String tableName;
    private final DynamoDbCalls calls;
    private final ClockGuard clock;
    private final DynamoDbTable table;
    private final DynamoDbLockStore locks;
    private final DatabaseQuery databases;
    private final DynamoDbRegistryStore registry;
    private final DynamoDbPowerStore power;
    private final DynamoDbJobStore jobs;
    private final DynamoDbLifecycleStore lifecycle;
    private volatile boolean wasGood;
    private volatile List<String> tableProblems = List.of("The DynamoDB table has not been checked yet.");

    /** @param clock the clock of this machine, which is compared with DynamoDB's */
    public DynamoDbStore(
            DynamoDbAsyncClient client,
            String tableName,
            DynamoDbConfig config,
            LockRules rules,
            InstantSource clock,
            StoreTelemetry telemetry) {
        this(
                client,
                tableName,
                config,
                rules,
                new ClockGuard(clock, System::nanoTime, rules.maxClockSkew(), telemetry),
                telemetry);
    }

    public DynamoDbStore(
            DynamoDbAsyncClient client,
            String tableName,
            DynamoDbConfig config,
            LockRules rules,
            ClockGuard clock,
            StoreTelemetry telemetry) {
        requireAtLeast("holdfast.dynamodb.attempts-max", config.attemptsMax(), 1);
        requireAtLeast("holdfast.dynamodb.sweep-parallel-max", config.sweepParallelMax(), 1);
        requireAtLeast("holdfast.dynamodb.attempt-timeout", config.attemptTimeout(), "1ms", Duration.ofMillis(1));
        requireAtLeast("holdfast.dynamodb.backoff-base", config.backoffBase(), "zero", Duration.ZERO);
        requireAtLeast(
                "holdfast.dynamodb.backoff-max",
                config.backoffMax(),
                "holdfast.dynamodb.backoff-base",
                config.backoffBase());
        this.client = client;
        this.config = config;
        this.tableName = tableName;
        this.clock = clock;
        this.calls = new DynamoDbCalls(config, clock, telemetry);
        this.table = new DynamoDbTable(client, calls, tableName);
        this.locks = new DynamoDbLockStore(client, calls, clock, tableName, rules, config);
        this.databases = new DatabaseQuery(client, calls, tableName);
        this.registry = new DynamoDbRegistryStore(client, calls, tableName, databases);
        this.power = new DynamoDbPowerStore(client, calls, tableName, databases);
        this.jobs = new DynamoDbJobStore(client, calls, clock, tableName, rules);
        this.lifecycle = new DynamoDbLifecycleStore(client, calls, clock, tableName);
    }

    public LockStore locks() {
        return locks;
    }

    public RegistryStore registry() {
        return registry;
    }

    /** Reads of a database together with its sharers. */
    public DatabaseQuery databases() {
        return databases;
    }

    public PowerStore power() {
        return power;
    }

    public JobStore jobs() {
        return jobs;
    }

    public LifecycleStore lifecycle() {
        return lifecycle;
    }

    public DynamoDbTable table() {
        return table;
    }

    /** What to add to this machine's clock; zero while it agrees with DynamoDB's. */
    public Duration clockCorrection() {
        return clock.correction();
    }

    /** Creates the table if configured, then checks it and logs problems. Never fails: readiness repeats the check. */
    public Uni<Void> start() {
        var created = config.tableCreate() ? table.create() : Uni.createFrom().item(false);
        return created.chain(this::checkTable)
                .invoke(problems -> problems.forEach(LOG::error))
                .chain(problems -> problems.isEmpty()
                        ? table.warnings().invoke(warnings -> warnings.forEach(LOG::warn))
                        : Uni.createFrom().item(problems))
                .replaceWithVoid()
                .onFailure()
                .invoke(e -> LOG.errorf("DynamoDB cannot be checked table=%s error=\"%s\"", tableName, e.getMessage()))
                .onFailure()
                .recoverWithNull();
    }

    /** Reads one absent key if the table was good, which is cheap. Otherwise describes the table again. */
    @Override
    public Uni<List<String>> problems() {
        var problems = tableProblems.isEmpty() ? readOnce() : checkTable();
        return problems.onFailure()
                .recoverWithItem(e -> List.of(String.valueOf(e.getMessage())))
                .map(this::withClock);
    }

    /** Before its first good check, a replica may be misconfigured. Afterwards only its clock counts. */
    @Override
    public List<String> blockingReadiness(List<String> problems) {
        return wasGood ? clock.problem().stream().toList() : problems;
    }

    private Uni<List<String>> checkTable() {
        return table.problems().invoke(problems -> {
            tableProblems = problems;
            wasGood |= problems.isEmpty();
        });
    }

    private Uni<List<String>> readOnce() {
        var absent = Map.of(Attributes.PK, Partition.READY.key(), Attributes.SK, Attributes.text("READY"));
        return calls.call(
                        "ready",
                        () -> client.getItem(get -> get.tableName(tableName).key(absent)))
                .map(DynamoDbCalls.Result::unconditional)
                .map(response -> List.of());
    }

    private List<String> withClock(List<String> problems) {
        var all = new ArrayList<>(problems);
        clock.problem().ifPresent(all::add);
        return all;
    }
}
