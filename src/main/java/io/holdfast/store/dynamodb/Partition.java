package io.holdfast.store.dynamodb;

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
    UNSETTLED("UNSETTLED"),
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

    String beginning() {
        return beginning;
    }

    AttributeValue key() {
        if (isNamed()) {
            throw new IllegalStateException(this + " is of something");
        }
        return Attributes.text(beginning);
    }

    AttributeValue of(Object name) {
        if (!isNamed()) {
            throw new IllegalStateException(this + " is of nothing");
        }
        return Attributes.text(beginning + name);
    }

    private boolean isNamed() {
        return beginning.endsWith("#");
    }
}
