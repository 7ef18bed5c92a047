package io.holdfast.lifecycle.port;

import io.holdfast.kernel.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A place in the feed of all moves.
 *
 * @param sequences of the last move that was read, for each part of the feed; 0 if none was
 */
public record FeedPosition(List<Long> sequences) {
    public static final FeedPosition START = new FeedPosition(Collections.nCopies(LifecycleStore.SHARDS, 0L));

    private static final Pattern TEXT =
            Pattern.compile("[0-9]{1,18}(-[0-9]{1,18}){" + (LifecycleStore.SHARDS - 1) + "}");

    public FeedPosition {
        sequences = List.copyOf(sequences);
    }

    /** The inverse of {@link #text()}. */
    public static FeedPosition parse(String field, String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new InvalidInputException(field, "the id of an earlier event");
        }
        return new FeedPosition(
                Arrays.stream(text.split("-")).map(Long::valueOf).toList());
    }

    public String text() {
        return sequences.stream().map(String::valueOf).collect(Collectors.joining("-"));
    }

    public long sequence(int shard) {
        return sequences.get(shard);
    }

    public FeedPosition with(int shard, long sequence) {
        var changed = new ArrayList<>(sequences);
        changed.set(shard, sequence);
        return new FeedPosition(changed);
    }
}
