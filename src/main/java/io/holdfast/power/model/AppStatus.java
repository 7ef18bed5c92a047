package io.holdfast.power.model;

/** Whether an app is up, as its probe sees it. UNKNOWN counts as up. */
public enum AppStatus {
    UP,
    DOWN,
    UNKNOWN
}
