package io.holdfast.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.port.Actuator.Outcome;
import io.holdfast.power.port.Actuator.State;
import io.holdfast.registry.ActuatorSpec;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a stand-in that speaks RDS's query protocol. */
class RdsActuatorTest {
    private static final String IDENTIFIER = "global-orders";

    private final FakeRds rds = new FakeRds(IDENTIFIER);
    private final Rig instance = rig(ActuatorSettings.at(rds.url()), false);
    private final Rig cluster = rig(ActuatorSettings.at(rds.url()), true);

    private static Rig rig(ActuatorSettings config, boolean cluster) {
        return new Rig(config, new ActuatorSpec.Rds(IDENTIFIER, cluster, Optional.of("eu-west-3")));
    }

    @AfterEach
    void close() {
        instance.close();
        cluster.close();
        rds.close();
    }

    @Test
    void anInstanceIsStoppedAndOnlyStoppedOnceItReallyIs() {
        assertThat(instance.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(rds.lastCall())
                .containsEntry("Action", "StopDBInstance")
                .containsEntry("DBInstanceIdentifier", IDENTIFIER)
                .doesNotContainKey("DBSnapshotIdentifier");
        assertThat(instance.state()).isEqualTo(State.STOPPING);

        rds.is("stopped");
        assertThat(instance.state()).isEqualTo(State.STOPPED);
    }

    @Test
    void anInstanceIsStarted() {
        rds.is("stopped");

        assertThat(instance.start()).isEqualTo(new Outcome.Accepted());
        assertThat(rds.lastCall())
                .containsEntry("Action", "StartDBInstance")
                .containsEntry("DBInstanceIdentifier", IDENTIFIER);
        assertThat(instance.state()).isEqualTo(State.STARTING);
    }

    @Test
    void aClusterIsStoppedAndStartedAsACluster() {
        assertThat(cluster.stop()).isEqualTo(new Outcome.Accepted());
        assertThat(rds.lastCall())
                .containsEntry("Action", "StopDBCluster")
                .containsEntry("DBClusterIdentifier", IDENTIFIER);
        assertThat(cluster.state()).isEqualTo(State.STOPPING);
        assertThat(rds.lastCall()).containsEntry("Action", "DescribeDBClusters");

        rds.is("stopped");
        assertThat(cluster.state()).isEqualTo(State.STOPPED);
        assertThat(cluster.start()).isEqualTo(new Outcome.Accepted());
        assertThat(rds.lastCall()).containsEntry("Action", "StartDBCluster");
    }

    @ParameterizedTest
    @CsvSource({
        "available, RUNNING",
        "backing-up, RUNNING",
        "starting, STARTING",
        "stopping, STOPPING",
        "stopped, STOPPED",
        "modifying, UNKNOWN",
        "rebooting, UNKNOWN",
        "deleting, UNKNOWN",
        "inaccessible-encryption-credentials, UNKNOWN"
    })
    void eachStatusOfRdsHasItsState(String status, State state) {
        rds.is(status);

        assertThat(instance.state()).isEqualTo(state);
        assertThat(cluster.state()).isEqualTo(state);
    }

    @Test
    void whatIsNotListedIsUnknown() {
        rds.isNotListed();

        assertThat(instance.state()).isEqualTo(State.UNKNOWN);
        assertThat(cluster.state()).isEqualTo(State.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stopped", "stopping"})
    void whatIsStoppedOrStoppingIsAlreadySo(String status) {
        rds.is(status);
        rds.ordersFail(400, "InvalidDBInstanceState", "Instance global-orders is not in available state.");
        assertThat(instance.stop()).isEqualTo(new Outcome.Already());

        rds.ordersFail(400, "InvalidDBClusterStateFault", "DbCluster global-orders is in " + status + " state");
        assertThat(cluster.stop()).isEqualTo(new Outcome.Already());
    }

    @ParameterizedTest
    @ValueSource(strings = {"available", "starting"})
    void whatIsRunningOrStartingIsAlreadySo(String status) {
        rds.is(status);
        rds.ordersFail(400, "InvalidDBInstanceState", "Instance global-orders is not stopped.");

        assertThat(instance.start()).isEqualTo(new Outcome.Already());
    }

    @ParameterizedTest
    @ValueSource(strings = {"modifying", "backing-up", "rebooting", "available", "starting"})
    void aStopInTheMiddleOfSomethingElseIsRetriedWhateverTheDatabaseIsCalled(String status) {
        rds.is(status);
        rds.ordersFail(400, "InvalidDBInstanceState", "Instance global-orders is not in available state.");

        assertThat(instance.stop())
                .isEqualTo(new Outcome.Retry("the status is " + status
                        + ", InvalidDBInstanceState: Instance global-orders is not in available state."));
    }

    @Test
    void aStartWhileStoppingIsRetried() {
        rds.is("stopping");
        rds.ordersFail(400, "InvalidDBInstanceState", "Instance global-orders is not stopped.");

        assertThat(instance.start()).isInstanceOf(Outcome.Retry.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deleting", "failed", "incompatible-network", "inaccessible-encryption-credentials"})
    void aBrokenDatabaseIsRefused(String status) {
        rds.is(status);
        rds.ordersFail(400, "InvalidDBInstanceState", "Instance global-orders is not in available state.");

        assertThat(instance.stop()).isInstanceOf(Outcome.Refused.class);
    }

    @ParameterizedTest
    @CsvSource({
        "InvalidDBInstanceState, Cannot stop or start a Read-Replica instance",
        "InvalidDBInstanceState, Cannot stop or start a SQL Server instance with Multi-AZ enabled",
        "InvalidDBClusterStateFault, This cluster is part of a global database",
        "InvalidParameterCombination, aurora DB instances are not eligible for stopping and starting.",
        "DBInstanceNotFound, DBInstance not found",
        "DBClusterNotFoundFault, DBCluster not found",
        "AccessDenied, User is not authorized to perform: rds:StopDBInstance",
        "KMSKeyNotAccessibleFault, the key is disabled"
    })
    void whatRdsNeverDoesIsRefusedWithItsReason(String code, String message) {
        rds.ordersFail(400, code, message);

        assertThat(instance.stop()).isEqualTo(new Outcome.Refused(code + ": " + message));
        assertThat(cluster.stop()).isEqualTo(new Outcome.Refused(code + ": " + message));
        assertThat(instance.start()).isEqualTo(new Outcome.Refused(code + ": " + message));
    }

    @ParameterizedTest
    @CsvSource({
        "400, Throttling",
        "503, ServiceUnavailable",
        "500, InternalFailure",
        "400, InsufficientDBInstanceCapacity",
        "403, ExpiredToken"
    })
    void whatMayPassIsRetriedByWhoeverOrderedItAndNotUnderneath(int status, String code) {
        rds.fails(status, code, "later");

        assertThat(instance.stop()).isEqualTo(new Outcome.Retry(code + ": later"));
        assertThat(rds.calls()).hasSize(1);
        assertThat(cluster.start()).isEqualTo(new Outcome.Retry(code + ": later"));
        assertThat(instance.state()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void silenceIsGivenUp() {
        rds.isSilent();
        try (var hasty = rig(ActuatorSettings.at(rds.url()).hasty(), false)) {
            assertThat(hasty.stop()).isInstanceOf(Outcome.Retry.class);
            assertThat(hasty.state()).isEqualTo(State.UNKNOWN);
        }
    }
}
