package io.holdfast.remote;

/** The file of a setting cannot be used. The message names the setting and contains no secret. */
public final class UnusableSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableSettingException(String message) {
        super(message);
    }
}
