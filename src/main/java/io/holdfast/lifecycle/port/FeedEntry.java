package io.holdfast.lifecycle.port;

import io.holdfast.lifecycle.model.Move;

/** @param sequence the place of the move in its part of the feed, from 1, without gaps */
public record FeedEntry(int shard, long sequence, Move move) {}
