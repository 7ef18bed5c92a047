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
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Creates and checks the DynamoDB table for the command line, without the service. It uses the table, the region and
 * the endpoint of the service's settings.
 *
 * <p>Not thread-safe. Every method may block: for seconds if DynamoDB cannot be reached, for minutes while a table is
 * created. The SDK reads credentials, profiles and {@code AWS_ENDPOINT_URL_DYNAMODB} from the environment of the
 * process, not from the one that is passed here.
 */
public final class DynamoDbTableAdmin implements TableAdmin {
    private static final String TABLE = "HOLDFAST_TABLE";
    private static final String TABLE_DEFAULT = "holdfast";

    /** Longer than DynamoDB takes to create a table. */
    private static final Duration CREATION_MAX = Duration.ofMinutes(3);

    /** Required by the store. No method here depends on them. */
    private static final LockRules RULES = new LockRules(Duration.ofSeconds(1), Duration.ofHours(24), 1, true);

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final TableClient.Patience patience;
    private TableClient client;

    /**
     * @param environment the settings of the service, under the names of environment variables
     * @param timeout how long one call may take; empty for the default
     */
    public DynamoDbTableAdmin(Map<String, String> environment, InstantSource clock, Optional<Duration> timeout) {
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.patience = new TableClient.Patience(timeout.orElse(TableClient.CALL_MAX_DEFAULT));
    }

    /** DynamoDB gave no answer about the table. The message is one sentence for the user. */
    public static final class UnreachableException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnreachableException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    @Override
    public String table() {
        return TableClient.value(environment, TABLE).orElse(TABLE_DEFAULT);
    }

    /**
     * The problems that make the table unusable, one sentence each.
     *
     * @throws UnreachableException if DynamoDB gives no answer
     */
    @Override
    public List<String> problems() {
        return ask(DynamoDbTable::problems);
    }

    /**
     * Advice about a usable table, one sentence each. Empty also if there is no table.
     *
     * @throws UnreachableException if DynamoDB gives no answer
     */
    @Override
    public List<String> warnings() {
        return ask(table -> table.warnings()
                .onFailure(e -> TableFailures.isCausedBy(e, ResourceNotFoundException.class))
                .recoverWithItem(List.of()));
    }

    /**
     * Creates the table, waits until it is active, and enables its TTL. Does not change a table with another key;
     * {@link #problems()} reports it.
     *
     * @return true if this call created it
     * @throws UnreachableException if it failed; the table may exist then, and the call can be repeated
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
            return question.apply(store.table()).await().atMost(CREATION_MAX.plus(patience.allAttemptsMax()));
        } catch (RuntimeException e) {
            throw TableFailures.unanswered(e, client.place(), patience.callMax());
        }
    }
}
