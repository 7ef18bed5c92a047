package io.holdfast.store.embedded;

import io.holdfast.lifecycle.model.Move;
import io.holdfast.lifecycle.model.Service;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.store.codec.ServiceJson;
import io.holdfast.store.embedded.engine.EmbeddedTable;
import io.holdfast.store.embedded.engine.EmbeddedTable.Codec;
import java.util.List;

/**
 * The tables of the lifecycle store. They do not raise the format of the file: an older program keeps rows of tables that
 * it does not know.
 *
 * @param moves by service and version, newest first
 * @param feed by part and sequence
 * @param feedEnds by part, the last sequence
 * @param settings the reason of the pause, if there is one
 */
record LifecycleTables(
        EmbeddedTable<Service> services,
        EmbeddedTable<Move> moves,
        EmbeddedTable<Move> feed,
        EmbeddedTable<String> feedEnds,
        EmbeddedTable<String> settings) {
    /** Sorts after every digit. */
    static final String END = "~";

    static LifecycleTables create() {
        return new LifecycleTables(
                new EmbeddedTable<>("services", Codec.of(ServiceJson::write, ServiceJson::readService)),
                new EmbeddedTable<>("service_moves", Codec.of(ServiceJson::write, ServiceJson::readMove)),
                new EmbeddedTable<>("service_feed", Codec.of(ServiceJson::write, ServiceJson::readMove)),
                new EmbeddedTable<>("service_feed_ends", Codec.TEXT),
                new EmbeddedTable<>("service_settings", Codec.TEXT));
    }

    /** The ends are published last, so a reader that knows a number finds its entry. */
    List<EmbeddedTable<?>> all() {
        return List.of(moves, services, feed, settings, feedEnds);
    }

    static String moveKey(Move move) {
        return moveKey(move.service(), move.version());
    }

    /** The version is counted backwards. No identifier contains a blank. */
    static String moveKey(ServiceId id, long version) {
        return movePrefix(id) + "%020d".formatted(Long.MAX_VALUE - version);
    }

    static String movePrefix(ServiceId id) {
        return id.value() + " ";
    }

    static String feedKey(int shard, long sequence) {
        return feedPrefix(shard) + "%020d".formatted(sequence);
    }

    static String feedPrefix(int shard) {
        return shard + " ";
    }
}
