package io.holdfast.store.dynamodb.service;

/**
 * The end of a part of the feed, as a commit expects it.
 *
 * @param stored the number in its item; 0 if there is no item
 * @param last the last number of an entry. Differs from {@code stored} only if the item of the end was lost
 */
record FeedEnd(long stored, long last) {
    static FeedEnd at(long number) {
        return new FeedEnd(number, number);
    }

    long next() {
        return last + 1;
    }
}
