package io.holdfast.cli.base;

import java.util.List;

/** Direct access to the DynamoDB table. Failures are {@link IllegalStateException}s whose message is a sentence. */
public interface TableAdmin extends AutoCloseable {
    String table();

    /** @return false if the table already existed */
    boolean create();

    /** Reasons why the service cannot use the table. */
    List<String> problems();

    /** Settings of the table that work but are not recommended. */
    List<String> warnings();

    @Override
    void close();
}
