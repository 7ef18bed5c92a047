package io.holdfast.remote;

/** What a setting points at cannot be used. The message names the setting, and never holds a secret. */
public final class UnusableSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableSettingException(String message) {
        super(message);
    }
}
