package io.holdfast.bench;

import java.io.IOException;
import java.sql.SQLException;

/** A system that gives the jobs of a cluster to one worker at a time. Each change is on disk before it is answered. */
interface JobSystem extends AutoCloseable {
    /** What the figures name. */
    String name();

    /** Prepares clusters that accept jobs. They are numbered from 0. */
    void prepare(int clusters) throws Exception;

    /** Called before each round, outside of the measured time. */
    default void beforeRound() throws Exception {}

    /** A worker with a connection of its own. One thread uses it. */
    Worker connect(int number) throws Exception;

    @Override
    void close() throws IOException;

    /** @param epoch the fencing token of the claim */
    record Claimed(String job, long epoch) {}

    /** Each step is one request for one job. */
    interface Worker extends AutoCloseable {
        void submit(int cluster) throws Exception;

        /** Repeats the request until there is a job. */
        Claimed claim() throws Exception;

        void complete(Claimed claimed) throws Exception;

        @Override
        void close() throws IOException, SQLException;
    }
}
