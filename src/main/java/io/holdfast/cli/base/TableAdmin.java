package io.holdfast.cli.base;

import java.util.List;

/** The DynamoDB table, reached without the service. Failures are {@link IllegalStateException}s with one sentence. */
public interface TableAdmin extends AutoCloseable {
    String table();

    /** @return whether it was made now; false if it was there */
    boolean create();

    /** What keeps the table from being used; empty when nothing does. */
    List<String> problems();

    /** What is unwise about the table but keeps nothing from working. */
    List<String> warnings();

    @Override
    void close();
}
