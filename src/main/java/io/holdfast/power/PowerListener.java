package io.holdfast.power;

/** Hears of every decision. Must not block or throw. */
public interface PowerListener {
    void decided(Decision decision);
}
