package io.holdfast.boot.aws;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory;
import software.amazon.awssdk.services.sts.internal.StsWebIdentityCredentialsProviderFactory;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Who we are to AWS: what the SDK finds, or the role of a Kubernetes service account, if one was given and no access
 * key. Nothing is looked for before somebody asks. One for all clients, so that a role is assumed once.
 *
 * <p>The role is taken by itself and not through the SDK's chain: a role that AWS refuses is then told as such, and is
 * not silently replaced by that of the node. The two factories are what the chain finds by name, for roles in profiles.
 */
@RegisterForReflection(
        targets = {StsProfileCredentialsProviderFactory.class, StsWebIdentityCredentialsProviderFactory.class})
final class AwsIdentity implements AwsCredentialsProvider, SdkAutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private Source source;

    private record Source(AwsCredentialsProvider provider, Runnable close) {}

    /** May take as long as AWS does. */
    @Override
    public AwsCredentials resolveCredentials() {
        return source().provider().resolveCredentials();
    }

    private synchronized Source source() {
        if (source == null) {
            source = isServiceAccount() ? serviceAccount() : whateverIsFound();
        }
        return source;
    }

    private static boolean isServiceAccount() {
        return isSet(SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE)
                && isSet(SdkSystemSetting.AWS_ROLE_ARN)
                && !isSet(SdkSystemSetting.AWS_ACCESS_KEY_ID);
    }

    private static boolean isSet(SdkSystemSetting setting) {
        return setting.getStringValue().filter(value -> !value.isBlank()).isPresent();
    }

    private static Source serviceAccount() {
        var sts = StsClient.builder()
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_MAX)
                        .socketTimeout(ANSWER_MAX))
                // Whoever asks for credentials asks again; retries underneath would keep it waiting.
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .apiCallTimeout(ANSWER_MAX))
                .build();
        var role = StsWebIdentityTokenFileCredentialsProvider.builder()
                .stsClient(sts)
                .build();
        return new Source(role, () -> {
            role.close();
            sts.close();
        });
    }

    private static Source whateverIsFound() {
        var chain = DefaultCredentialsProvider.builder().build();
        return new Source(chain, chain::close);
    }

    @Override
    public synchronized void close() {
        if (source != null) {
            source.close().run();
        }
    }
}
