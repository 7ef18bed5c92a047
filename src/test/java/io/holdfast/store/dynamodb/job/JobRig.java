package io.holdfast.store.dynamodb.job;

import static io.holdfast.job.port.JobFixtures.DONE;
import static io.holdfast.job.port.JobFixtures.aCluster;
import static io.holdfast.lock.port.Fixtures.NOON;
import static io.holdfast.lock.port.Fixtures.await;

import io.holdfast.job.model.Cluster;
import io.holdfast.job.model.Job;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.WorkerName;
import io.holdfast.job.port.JobDriver;
import io.holdfast.job.port.JobStore;
import io.holdfast.lock.port.Fixtures;
import io.holdfast.store.StoreTelemetry;
import io.holdfast.store.dynamodb.DynamoDbLocal;
import io.holdfast.store.dynamodb.DynamoDbStore;
import io.holdfast.store.dynamodb.FaultProxy;
import io.holdfast.store.dynamodb.call.DynamoDbSettings;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A job store behind a fault proxy, on a table of its own. */
final class JobRig implements AutoCloseable {
    static final String TRANSACTION = "TransactWriteItems";

    final FaultProxy proxy = FaultProxy.to(DynamoDbLocal.shared().endpoint());
    final String table = "jobs-" + UUID.randomUUID();
    final DynamoDbStore store;
    final JobStore jobs;
    final JobDriver driver;
    private final DynamoDbAsyncClient client = DynamoDbLocal.shared().client(proxy.endpoint());

    JobRig() {
        store = new DynamoDbStore(
                client, table, DynamoDbSettings.DEFAULT, Fixtures.RULES, Clock.systemUTC(), StoreTelemetry.NONE);
        await(store.start());
        jobs = store.jobs();
        driver = new JobDriver(jobs);
    }

    Cluster ready(WorkerName worker) {
        var cluster = driver.create(aCluster(), NOON);
        driver.run(cluster.id(), JobType.CREATE, worker, DONE, NOON);
        return driver.cluster(cluster.id());
    }

    Job running(WorkerName worker, Instant now) {
        var job = driver.submit(ready(worker).id(), JobType.SCALE_WORKERS, now);
        return driver.claim(job, worker, now);
    }

    /** The item as it is in the table. */
    Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return client.getItem(get -> get.tableName(table).key(key).consistentRead(true))
                .join()
                .item();
    }

    void put(Map<String, AttributeValue> item) {
        client.putItem(put -> put.tableName(table).item(item)).join();
    }

    void delete(Map<String, AttributeValue> key) {
        client.deleteItem(delete -> delete.tableName(table).key(key)).join();
    }

    @Override
    public void close() {
        client.close();
        proxy.close();
    }
}
