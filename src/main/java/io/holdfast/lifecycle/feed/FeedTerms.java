package io.holdfast.lifecycle.feed;

import java.time.Duration;

/**
 * The limits of the feed.
 *
 * @param pollEvery how often a replica looks for the moves of other replicas while readers wait at it
 * @param batchMax the most moves of one part of the feed in a batch
 * @param readersMax the most readers at one replica
 */
public record FeedTerms(Duration pollEvery, int batchMax, int readersMax) {
    public static final String READERS_MAX = "holdfast.lifecycle.events-max";
}
