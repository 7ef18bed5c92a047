package io.holdfast.http.job;

import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** The API of clusters and jobs, line by line. The facts are in the interfaces, one per subject. */
@OnQuarkus
@QuarkusTest
@TestProfile(SmallQueues.class)
class JobApiTest
        implements ClusterFacts, SubmitFacts, ClaimFacts, ReportFacts, CancelFacts, JobListFacts, JobRefusalFacts {}
