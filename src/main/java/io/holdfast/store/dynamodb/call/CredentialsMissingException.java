package io.holdfast.store.dynamodb.call;

import software.amazon.awssdk.core.exception.SdkClientException;

/** There are no credentials to sign a call, so it was not sent. The message gives the reason in a sentence. */
public final class CredentialsMissingException extends SdkClientException {
    private static final long serialVersionUID = 1L;

    public CredentialsMissingException(String sentence) {
        super(SdkClientException.builder().message(sentence));
    }
}
