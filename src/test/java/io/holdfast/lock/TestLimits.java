package io.holdfast.lock;

/** The default limits, for tests of other capabilities. */
public final class TestLimits {
    public static final LockLimits DEFAULT = new LockLimits(new LockSettings());

    private TestLimits() {}
}
