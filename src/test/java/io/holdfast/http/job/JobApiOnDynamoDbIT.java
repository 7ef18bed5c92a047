package io.holdfast.http.job;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;

/** The packaged program on the other store: what depends on a store. */
@QuarkusIntegrationTest
@TestProfile(SmallQueuesOnDynamoDb.class)
class JobApiOnDynamoDbIT implements ClusterFacts, SubmitFacts, ClaimFacts, ReportFacts, CancelFacts, JobListFacts {}
