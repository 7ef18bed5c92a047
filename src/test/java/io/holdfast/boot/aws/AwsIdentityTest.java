package io.holdfast.boot.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.services.sts.model.StsException;

/** Settings of the SDK are properties here, where a pod has variables. */
class AwsIdentityTest {
    private static final String ROLE = "arn:aws:iam::123456789012:role/holdfast";

    @TempDir
    private Path folder;

    private final FakeSts sts = new FakeSts();
    private Map<String, String> settings;
    private AwsIdentity identity;

    @BeforeEach
    void serviceAccount() throws IOException {
        mount("first");
        settings = Map.of(
                "aws.roleArn",
                ROLE,
                "aws.webIdentityTokenFile",
                token().toString(),
                "aws.region",
                "eu-west-3",
                "aws.endpointUrlSts",
                sts.url().toString());
        settings.forEach(System::setProperty);
        identity = new AwsIdentity();
    }

    @AfterEach
    void close() {
        settings.keySet().forEach(System::clearProperty);
        identity.close();
        sts.close();
    }

    @Test
    void theTokenOfAServiceAccountIsExchangedForTheCredentialsOfItsRole() {
        sts.givesCredentialsFor(Duration.ofHours(1));

        var credentials = (AwsSessionCredentials) identity.resolveCredentials();

        assertThat(credentials.accessKeyId()).isEqualTo("ASIA1");
        assertThat(credentials.sessionToken()).isEqualTo("session-of-first");
        assertThat(sts.calls()).singleElement().satisfies(call -> assertThat(call)
                .containsEntry("Action", "AssumeRoleWithWebIdentity")
                .containsEntry("RoleArn", ROLE));
    }

    @Test
    void credentialsThatLastAreNotAskedForAgain() {
        sts.givesCredentialsFor(Duration.ofHours(1));

        assertThat(identity.resolveCredentials()).isEqualTo(identity.resolveCredentials());
        assertThat(sts.calls()).hasSize(1);
    }

    @Test
    void credentialsAboutToEndAreAskedForAgainWithTheTokenThatIsThereByThen() throws IOException {
        sts.givesCredentialsFor(Duration.ofSeconds(30));
        identity.resolveCredentials();
        mount("second");

        identity.resolveCredentials();

        assertThat(sts.calls()).extracting(call -> call.get("WebIdentityToken")).containsExactly("first", "second");
    }

    @Test
    void aRoleThatIsRefusedIsNotReplacedByAnotherIdentity() {
        sts.refuses();

        assertThatThrownBy(identity::resolveCredentials)
                .isInstanceOf(StsException.class)
                .hasMessageContaining("Not authorized to perform sts:AssumeRoleWithWebIdentity");
    }

    @Test
    void anAccessKeyGoesBeforeTheRole() {
        System.setProperty("aws.accessKeyId", "AKIA");
        System.setProperty("aws.secretAccessKey", "secret");
        try {
            assertThat(identity.resolveCredentials().accessKeyId()).isEqualTo("AKIA");
            assertThat(sts.calls()).isEmpty();
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    private Path token() {
        return folder.resolve("token");
    }

    private void mount(String token) throws IOException {
        Files.writeString(token(), token);
    }
}
