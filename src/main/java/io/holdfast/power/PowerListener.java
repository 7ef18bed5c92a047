package io.holdfast.power;

/** Hears of every decision, and of every lock asked for. Must not block or throw. */
public interface PowerListener {
    void decided(Decision decision);

    /** @param retries how often the lock of a database was asked for again */
    void lockAsked(int retries);
}
