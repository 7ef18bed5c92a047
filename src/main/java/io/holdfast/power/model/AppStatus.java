package io.holdfast.power.model;

public enum AppStatus {
    UP,
    DOWN,
    UNKNOWN
}
