package io.holdfast.lifecycle.feed;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.port.FeedPosition;
import java.util.List;

/**
 * Moves after a position of the feed.
 *
 * @param moves in an order that keeps that of each service; empty if there were none until the wait was over
 * @param hasGap whether moves before these were deleted, because the reader came too late
 * @param position after the last move
 */
public record Batch(List<Positioned> moves, boolean hasGap, FeedPosition position) {
    /** @param position from which a reader that has this move continues */
    public record Positioned(Move move, FeedPosition position) {}
}
