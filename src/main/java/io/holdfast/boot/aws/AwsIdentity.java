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
 * The AWS credentials of this process: the role of its Kubernetes service account if there is one and no access key is
 * set, otherwise what the SDK's default chain finds. All clients share it, so a role is assumed once. It resolves
 * nothing before the first call.
 *
 * <p>The role does not go through the default chain. The chain would silently replace a refused role by that of the
 * node; here the refusal is reported. The chain loads the two registered factories by name, for roles in profiles.
 */
@RegisterForReflection(
        targets = {StsProfileCredentialsProviderFactory.class, StsWebIdentityCredentialsProviderFactory.class})
final class AwsIdentity implements AwsCredentialsProvider, SdkAutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private Source source;

    private record Source(AwsCredentialsProvider provider, Runnable close) {}

    /** Blocks until AWS answers. */
    @Override
    public AwsCredentials resolveCredentials() {
        return source().provider().resolveCredentials();
    }

    private synchronized Source source() {
        if (source == null) {
            source = isServiceAccount() ? serviceAccount() : defaultChain();
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
                // The caller retries. Retries of the SDK would only delay the answer.
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

    private static Source defaultChain() {
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
