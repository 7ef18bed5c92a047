package io.holdfast.boot.aws;

import io.holdfast.cli.base.TableAdmin;
import io.holdfast.lock.port.LockRules;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.DynamoDbTable;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Creates and checks the DynamoDB table while the service does not run: for the command line, which never starts it. It
 * uses the table, the region and the endpoint that the service would, and says in one sentence what keeps it from that.
 *
 * <p>Every method may block, for seconds when DynamoDB cannot be reached, for minutes when a table is made. For one
 * thread. What the SDK looks for by itself (credentials, profiles, {@code AWS_ENDPOINT_URL_DYNAMODB}) it finds in the
 * environment of the process, and not in the one that is passed here.
 */
public final class DynamoDbTableAdmin implements TableAdmin {
    private static final String TABLE = "HOLDFAST_TABLE";
    private static final String TABLE_DEFAULT = "holdfast";

    /** More than a table may take to be made. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);

    /** The rules of locks; nothing that is asked of a table here depends on them. */
    private static final LockRules RULES = new LockRules(Duration.ofSeconds(1), Duration.ofHours(24), 1, true);

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final TableClient.Patience patience;
    private TableClient client;

    /** @param environment the settings of the service, under the names of environment variables */
    public DynamoDbTableAdmin(Map<String, String> environment, InstantSource clock) {
        this(environment, clock, TableClient.PATIENCE);
    }

    DynamoDbTableAdmin(Map<String, String> environment, InstantSource clock, TableClient.Patience patience) {
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.patience = patience;
    }

    /** Nothing can be said of the table. The message is one sentence for whoever asked. */
    public static final class UnreachableException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnreachableException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    /** The name of the table that all of this is about. */
    @Override
    public String table() {
        return TableClient.set(environment, TABLE).orElse(TABLE_DEFAULT);
    }

    /**
     * What keeps the table from being used, each a sentence; empty when nothing does.
     *
     * @throws UnreachableException when nothing can be said of it
     */
    @Override
    public List<String> problems() {
        return ask(DynamoDbTable::problems);
    }

    /**
     * What is unwise about the table but keeps nothing from working; empty also when there is no table.
     *
     * @throws UnreachableException when nothing can be said of it
     */
    @Override
    public List<String> warnings() {
        return ask(table -> table.warnings()
                .onFailure(e -> TableFailures.isCausedBy(e, ResourceNotFoundException.class))
                .recoverWithItem(List.of()));
    }

    /**
     * Creates the table, waits until it can be used, and switches its TTL on. Leaves a table with another key as it is:
     * {@link #problems()} says so then.
     *
     * @return true if it was made now, false if it was there
     * @throws UnreachableException when that failed; a table that was begun may be there then, and this can be repeated
     */
    @Override
    public boolean create() {
        return ask(DynamoDbTable::create);
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }

    private <T> T ask(Function<DynamoDbTable, Uni<T>> question) {
        if (client == null) {
            client = TableClient.open(environment, patience);
        }
        var store = new DynamoDbStore(client.dynamoDb(), table(), patience, RULES, clock, StoreTelemetry.NONE);
        try {
            return question.apply(store.table()).await().atMost(ANSWER_MAX);
        } catch (RuntimeException e) {
            throw TableFailures.unanswered(e, client.place(), patience.callMax());
        }
    }
}
