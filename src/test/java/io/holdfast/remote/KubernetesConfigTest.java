package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesConfigTest {
    @Test
    void theDefaultsAreThoseOfAPodInACluster() {
        var config = config(Map.of());

        assertThat(config.url()).isEqualTo(URI.create("https://kubernetes.default.svc"));
        assertThat(config.tokenFile()).contains(Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token"));
        assertThat(config.caFile()).contains(Path.of("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt"));
    }

    @Test
    void anEmptyFileNameSwitchesOff() {
        var config = config(Map.of("HOLDFAST_KUBERNETES_TOKEN_FILE", "", "HOLDFAST_KUBERNETES_CA_FILE", ""));

        assertThat(config.tokenFile()).isEmpty();
        assertThat(config.caFile()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes",
                "ftp://kubernetes.example",
                "https://user:secret@kubernetes.example",
                "https://kubernetes.example:65536",
                "https://kubernetes.example/?x=secret",
                "https://kubernetes.example/#secret"
            })
    void anAddressThatNothingCanBePutBelowIsRefusedByItsKeyAndNotShown(String url) {
        assertThatThrownBy(() -> BaseUrl.of("holdfast.kubernetes.url", URI.create(url)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("holdfast.kubernetes.url must be ")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a.example/b", "https://a.example/b/", "https://a.example/b//"})
    void addressesArePutBelowTheBaseWithOrWithoutItsLastSlash(String url) {
        assertThat(BaseUrl.of("key", URI.create(url)).below("/c?d=e")).hasToString("https://a.example/b/c?d=e");
    }

    @Test
    void theLongestAddressIsTakenAndOneLongerIsNot() {
        var longest = "https://a.example/" + "b".repeat(2048 - "https://a.example/".length());

        assertThat(BaseUrl.of("key", URI.create(longest)).isSecure()).isTrue();
        assertThatThrownBy(() -> BaseUrl.of("key", URI.create(longest + "b")))
                .isInstanceOf(IllegalStateException.class);
    }

    private static KubernetesConfig config(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new EnvConfigSource(environment, 300))
                .withMapping(KubernetesConfig.class)
                .build()
                .getConfigMapping(KubernetesConfig.class);
    }
}
