package io.holdfast.store.dynamodb.call;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * All prefixes of partition keys. IAM permissions are given by prefix, so keys are only made here. A prefix that ends
 * with {@code #} is followed by a name; the others are the whole key.
 */
public enum Partition {
    LOCK("LOCK#"),
    DATABASE("DB#"),
    APP("APP#"),
    DIRECTORY_OF_APPS("DIRECTORY#APPS"),
    DIRECTORY_OF_DATABASES("DIRECTORY#DATABASES"),
    PENDING("PENDING"),
    /** Earlier builds listed pending databases here. Never written; read, and emptied into {@link #PENDING}. */
    EARLIER_PENDING("UNSETTLED"),
    DECISIONS("DECISIONS#"),
    POWER("POWER"),
    CLUSTER("CLUSTER#"),
    CLUSTER_NAME("NAME#"),
    DIRECTORY_OF_CLUSTERS("DIRECTORY#CLUSTERS"),
    /** Clusters by the end of their TTL. */
    EXPIRY("EXPIRY#"),
    JOB("JOB#"),
    JOB_KEY("JOBKEY#"),
    JOBS_BY_STATUS("JOBS#"),
    /** Claimable jobs by the time from which on they may be claimed. */
    DUE("DUE#"),
    WORKER("WORKER#"),
    /** The services of one shard. */
    SERVICES("SERVICES#"),
    /** The history of one service. */
    SERVICE("SERVICE#"),
    /** The moves of the services of one shard, in order. */
    SERVICE_FEED("SERVICE_FEED#"),
    /** The pause of the reconciler of services. */
    SERVICE_PAUSE("SERVICES"),
    /** Never written. The store check reads it. */
    READY("READY");

    private final String beginning;

    Partition(String beginning) {
        this.beginning = beginning;
    }

    /** The pattern in the condition of an IAM policy. */
    public String pattern() {
        return isNamed() ? beginning + "*" : beginning;
    }

    public String beginning() {
        return beginning;
    }

    public AttributeValue key() {
        if (isNamed()) {
            throw new IllegalStateException(this + " needs a name.");
        }
        return Attributes.text(beginning);
    }

    public AttributeValue of(Object name) {
        if (!isNamed()) {
            throw new IllegalStateException(this + " takes no name.");
        }
        return Attributes.text(beginning + name);
    }

    private boolean isNamed() {
        return beginning.endsWith("#");
    }
}
