package io.holdfast.store.dynamodb.call;

import software.amazon.awssdk.core.exception.SdkClientException;

/** There is nothing to sign a call with, so it was not made. Its message is a sentence that says why. */
public final class CredentialsMissingException extends SdkClientException {
    private static final long serialVersionUID = 1L;

    public CredentialsMissingException(String sentence) {
        super(SdkClientException.builder().message(sentence));
    }
}
