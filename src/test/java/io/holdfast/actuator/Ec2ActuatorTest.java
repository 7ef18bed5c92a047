package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.remote.KubernetesSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.Ec2ClientBuilder;
import software.amazon.awssdk.services.sts.model.StsException;

/** Against a stand-in that speaks EC2's query protocol. */
class Ec2ActuatorTest {
    private static final String INSTANCE = "i-0abc";

    private final FakeEc2 ec2 = new FakeEc2(INSTANCE);
    private final Rig rig = rig(ActuatorSettings.at(ec2.url()), "eu-west-3");

    private static Rig rig(ActuatorSettings config, String region) {
        return new Rig(config, new ActuatorSpec.Ec2(INSTANCE, Optional.of(region)));
    }

    @AfterEach
    void close() {
        rig.close();
        ec2.close();
    }

    @Test
    void aRunningInstanceIsStoppedGentlyAndOnlyStoppedOnceItReallyIs() {
        ec2.is("running");

        assertThat(rig.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(ec2.lastCall()).containsEntry("Action", "StopInstances").containsEntry("InstanceId.1", INSTANCE);
        assertThat(ec2.lastCall()).doesNotContainKeys("Force", "Hibernate");
        assertThat(rig.state()).isEqualTo(State.STOPPING);

        ec2.is("stopped");
        assertThat(rig.state()).isEqualTo(State.STOPPED);
    }

    @Test
    void aStoppedInstanceIsStarted() {
        ec2.is("stopped");

        assertThat(rig.start()).isEqualTo(new Outcome.Accepted());
        assertThat(ec2.lastCall()).containsEntry("Action", "StartInstances").containsEntry("InstanceId.1", INSTANCE);
        assertThat(rig.state()).isEqualTo(State.STARTING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stopped", "stopping"})
    void whatIsStoppedOrStoppingIsAlreadySo(String state) {
        ec2.is(state);

        assertThat(rig.stop()).isEqualTo(new Outcome.Already());
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "pending"})
    void whatIsRunningOrStartingIsAlreadySo(String state) {
        ec2.is(state);

        assertThat(rig.start()).isEqualTo(new Outcome.Already());
    }

    @ParameterizedTest
    @CsvSource({
        "running, RUNNING",
        "pending, STARTING",
        "stopping, STOPPING",
        "stopped, STOPPED",
        "shutting-down, UNKNOWN",
        "terminated, UNKNOWN",
        "dreaming, UNKNOWN"
    })
    void eachStateOfEc2HasItsOwn(String said, State read) {
        ec2.is(said);

        assertThat(rig.state()).isEqualTo(read);
    }

    @Test
    void anInstanceThatIsNotListedIsUnknown() {
        ec2.isNotListed();

        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "400, OperationNotPermitted, may not be stopped. Modify its 'disableApiStop' instance attribute",
        "400, UnsupportedOperation, does not have an 'ebs' root device type and cannot be stopped",
        "400, InvalidInstanceID.NotFound, The instance ID does not exist",
        "400, InvalidInstanceID.Malformed, Invalid id",
        "403, UnauthorizedOperation, You are not authorized to perform this operation"
    })
    void whatEc2RefusesIsRefusedWithItsReason(int status, String code, String message) {
        ec2.fails(status, code, message);

        assertThat(rig.stop()).isEqualTo(new Outcome.Refused(code + ": " + message));
        assertThat(rig.start()).isEqualTo(new Outcome.Refused(code + ": " + message));
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "503, RequestLimitExceeded",
        "400, Throttling",
        "500, InternalError",
        "503, Unavailable",
        "500, InsufficientInstanceCapacity",
        "400, RequestExpired"
    })
    void whatMayPassIsRetriedByWhoeverOrderedItAndNotUnderneath(int status, String code) {
        ec2.fails(status, code, "later");

        assertThat(rig.stop()).isEqualTo(new Outcome.Retry(code + ": later"));
        assertThat(ec2.calls()).hasSize(1);
        assertThat(rig.start()).isEqualTo(new Outcome.Retry(code + ": later"));
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "stopped, Already",
        "stopping, Already",
        "pending, Retry",
        "running, Refused",
        "terminated, Refused",
        "shutting-down, Refused"
    })
    void aStopInTheWrongStateIsJudgedByTheStateThatThereIs(String state, String outcome) {
        ec2.is(state);
        ec2.ordersFail(400, "IncorrectInstanceState", "not from here");

        assertThat(rig.stop().getClass().getSimpleName()).isEqualTo(outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "running, Already",
        "pending, Already",
        "stopping, Retry",
        "stopped, Refused",
        "terminated, Refused",
        "shutting-down, Refused"
    })
    void aStartInTheWrongStateIsJudgedByTheStateThatThereIs(String state, String outcome) {
        ec2.is(state);
        ec2.ordersFail(400, "IncorrectInstanceState", "not from here");

        assertThat(rig.start().getClass().getSimpleName()).isEqualTo(outcome);
    }

    @Test
    void aTerminatedInstanceCannotBeStoppedOrStarted() {
        ec2.is("terminated");

        assertThat(rig.stop()).isEqualTo(new Outcome.Refused("the instance is terminated"));
        assertThat(rig.start()).isEqualTo(new Outcome.Refused("the instance is terminated"));
    }

    @Test
    void silenceIsGivenUp() {
        ec2.isSilent();
        try (var hasty = rig(ActuatorSettings.at(ec2.url()).hasty(), "eu-west-3")) {
            assertThat(hasty.stop()).isInstanceOf(Outcome.Retry.class);
            assertThat(hasty.state()).isEqualTo(State.UNKNOWN);
        }
    }

    @Test
    void whoIsRefusedCredentialsHasNotBeenRefusedTheOrder() {
        AwsCredentialsProvider refusing = () -> {
            throw StsException.builder()
                    .statusCode(403)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode("AccessDenied")
                            .errorMessage("not yet")
                            .build())
                    .build();
        };
        var config = ActuatorSettings.at(ec2.url());
        var spec = new ActuatorSpec.Ec2(INSTANCE, Optional.of("eu-west-3"));
        try (var nobody = new Rig(config, KubernetesSettings.plain(config.url()), refusing, spec)) {
            assertThat(nobody.stop()).isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.reason())
                    .startsWith("aws: no credentials: ")
                    .contains("not yet"));
            assertThat(nobody.state()).isEqualTo(State.UNKNOWN);
        }
    }

    /** Looked at every 30 s for an hour: one line when it begins, few while it lasts, and one when it ends. */
    @Test
    void missingCredentialsAreLoggedWhenTheyBeginAtGrowingIntervalsAndWhenTheyEnd() {
        ec2.is("running");
        var there = new AtomicBoolean();
        AwsCredentialsProvider source = () -> {
            if (there.get()) {
                return Rig.CREDENTIALS.resolveCredentials();
            }
            throw SdkClientException.create("Unable to load credentials from any of the providers in the chain X(…)");
        };
        var config = ActuatorSettings.at(ec2.url());
        var spec = new ActuatorSpec.Ec2(INSTANCE, Optional.of("eu-west-3"));
        try (var poor = new Rig(config, KubernetesSettings.plain(config.url()), source, spec);
                var log = new LogLines()) {
            for (var pass = 0; pass < 120; pass++) {
                poor.state();
                poor.start();
                poor.clock.advance(Duration.ofSeconds(30));
            }

            assertThat(log.lines())
                    .filteredOn(line -> line.contains("UNKNOWN"))
                    .hasSize(6)
                    .allMatch(line -> line.contains("aws: no credentials: set AWS_ACCESS_KEY_ID"));
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("retry reason="))
                    .hasSize(6);

            there.set(true);
            poor.state();
            poor.state();
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("unknown_for_ms=3600000"))
                    .hasSize(1);
        }
    }

    /** With one thread, whatever comes after the late credentials has come before the next look. */
    @Test
    void noOrderLeavesWhoseCredentialsCameTooLate() {
        var given = new CompletableFuture<AwsCredentials>();
        var config = ActuatorSettings.at(ec2.url()).hasty().withAwsParallelMax(1);
        var spec = new ActuatorSpec.Ec2(INSTANCE, Optional.of("eu-west-3"));
        try (var hasty = new Rig(config, KubernetesSettings.plain(config.url()), given::join, spec)) {
            assertThat(hasty.stop()).isInstanceOf(Outcome.Retry.class);

            given.complete(Rig.CREDENTIALS.resolveCredentials());
            hasty.state();

            assertThat(ec2.calls())
                    .extracting(call -> call.form().get("Action"))
                    .doesNotContain("StopInstances");
        }
    }

    @Test
    void anEventLoopGoesOnWhileEc2IsSilent() {
        ec2.isSilent();

        assertThatCode(rig::stopOnEventLoop).doesNotThrowAnyException();
    }

    @Test
    void whatIsNotXmlIsRetried() {
        ec2.talksNonsense();

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void nobodyListeningIsRetried() {
        ec2.close();

        assertThat(rig.stop()).isInstanceOf(Outcome.Retry.class);
        assertThat(rig.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void theRegionIsTheRegistrations() {
        ec2.is("running");

        rig.state();

        assertThat(ec2.authorization()).contains("/eu-west-3/ec2/aws4_request");
    }

    @Test
    void noMoreRegionsAreCalledThanTheLimit() {
        var access =
                new AwsClients.Access(AnonymousCredentialsProvider.create(), Optional.empty(), Duration.ofSeconds(1));
        try (var clients = new AwsClients<Ec2Client, Ec2ClientBuilder>(Ec2Client::builder, access)) {
            var first = clients.in(Optional.of("region-0"));
            for (var i = 1; i < AwsClients.REGIONS_MAX; i++) {
                clients.in(Optional.of("region-" + i));
            }

            assertThat(clients.in(Optional.of("region-0"))).isSameAs(first);
            assertThatThrownBy(() -> clients.in(Optional.of("one-more"))).isInstanceOf(SdkClientException.class);
        }
    }
}
