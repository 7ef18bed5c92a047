package io.holdfast.http.access;

import io.holdfast.access.AccessService;

/** How the API names whether access control is on. */
public final class AccessModes {
    private static final String FILE = "file";
    private static final String OPEN = "open";

    private AccessModes() {}

    public static String of(AccessService access) {
        return access.isOn() ? FILE : OPEN;
    }
}
