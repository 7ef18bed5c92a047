package io.holdfast.http.lock;

import io.holdfast.deploy.MonitoringFacts;
import io.holdfast.http.AboutFacts;
import io.holdfast.http.ContractFacts;
import io.holdfast.http.CrossSiteFacts;
import io.holdfast.http.LimitFacts;
import io.holdfast.http.NameFacts;
import io.holdfast.http.OperationsFacts;
import io.holdfast.http.UndeclaredInputFacts;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;

/** The lock API, line by line. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
class LockApiTest
        implements AcquireFacts,
                WaitFacts,
                LockSetFacts,
                HoldFacts,
                HeartbeatFacts,
                RenewFacts,
                NotHeldFacts,
                ReleaseFacts,
                ListFacts,
                NameFacts,
                LimitFacts,
                UndeclaredInputFacts,
                CrossSiteFacts,
                ContractFacts,
                OperationsFacts,
                AboutFacts,
                MonitoringFacts {}
