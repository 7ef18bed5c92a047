package io.holdfast.store.dynamodb.call;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What partition keys begin with, all of them: permissions are given by it, so a key that is made in another way is
 * refused where it counts. One that ends with {@code #} has a name behind it; the others are the whole key.
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
    /** Never written; read to see whether the table can be read. */
    READY("READY");

    private final String beginning;

    Partition(String beginning) {
        this.beginning = beginning;
    }

    /** As the condition of a policy has it. */
    public String pattern() {
        return isNamed() ? beginning + "*" : beginning;
    }

    public String beginning() {
        return beginning;
    }

    public AttributeValue key() {
        if (isNamed()) {
            throw new IllegalStateException(this + " is of something");
        }
        return Attributes.text(beginning);
    }

    public AttributeValue of(Object name) {
        if (!isNamed()) {
            throw new IllegalStateException(this + " is of nothing");
        }
        return Attributes.text(beginning + name);
    }

    private boolean isNamed() {
        return beginning.endsWith("#");
    }
}
