package io.holdfast.lifecycle.model;

import io.holdfast.kernel.InvalidInputException;
import java.util.UUID;
import java.util.regex.Pattern;

/** Identifies one deployment. A caller may propose it, so that it can repeat a request whose answer was lost. */
public record DeploymentId(String value) {
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    public DeploymentId {
        if (value == null || !UUID_TEXT.matcher(value).matches()) {
            throw new InvalidInputException("deployment_id", "a UUID in lower case");
        }
    }

    public static DeploymentId random() {
        return new DeploymentId(UUID.randomUUID().toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
