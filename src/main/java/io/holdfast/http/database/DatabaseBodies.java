package io.holdfast.http.database;

import io.holdfast.http.wire.Times;
import io.holdfast.http.wire.database.ActuatorBody;
import io.holdfast.http.wire.database.AppBody;
import io.holdfast.http.wire.database.DatabaseBody;
import io.holdfast.http.wire.database.DecisionBody;
import io.holdfast.http.wire.database.WorkloadBody;
import io.holdfast.lock.model.FencingToken;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Overview;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.util.Collection;
import java.util.List;

/** Builds the JSON bodies of apps and databases. */
final class DatabaseBodies {
    private DatabaseBodies() {}

    static DatabaseBody of(Database database) {
        var address = database.address();
        return new DatabaseBody(
                database.id().value(),
                database.type(),
                address.host(),
                address.port().orElse(null),
                address.ec2InstanceId().orElse(null),
                actuator(database.actuator()),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** With its sharers, its desired state, and what blocks a stop. */
    static DatabaseBody of(Overview overview) {
        var database = of(overview.snapshot().database());
        return new DatabaseBody(
                database.id(),
                database.type(),
                database.host(),
                database.port(),
                database.ec2InstanceId(),
                database.actuator(),
                overview.snapshot().shared().sharers().stream()
                        .map(sharer -> sharer.app().value())
                        .toList(),
                overview.shouldStop() ? "STOPPED" : "RUNNING",
                overview.snapshot().state().phase().name(),
                overview.blockers(),
                names(overview.stopRequesters()),
                names(overview.claimants()));
    }

    private static List<String> names(Collection<AppName> apps) {
        return apps.stream().map(AppName::value).toList();
    }

    static AppBody of(App app) {
        var probe = app.probe();
        return new AppBody(
                app.name().value(),
                probe.url().map(URI::toString).orElse(null),
                probe.policy().text(),
                probe.confirmations(),
                probe.workload().map(DatabaseBodies::workload).orElse(null),
                app.databases().stream().map(DatabaseId::value).toList());
    }

    static DecisionBody of(Decision decision) {
        var evidence = decision.evidence();
        var seen = evidence.sharers().stream()
                .map(one -> new DecisionBody.SeenBody(
                        one.app().value(), one.status().name(), one.httpCode().orElse(null), one.detail()))
                .toList();
        return new DecisionBody(
                decision.database().value(),
                decision.type(),
                decision.result().name(),
                decision.reason(),
                seen,
                evidence.token().map(FencingToken::value).orElse(null),
                evidence.epoch(),
                decision.by().app().map(AppName::value).orElse(null),
                Times.text(decision.by().at()),
                decision.by().took().toMillis());
    }

    private static WorkloadBody workload(Workload workload) {
        return new WorkloadBody(workload.namespace(), workload.kind().text(), workload.name());
    }

    private static ActuatorBody actuator(ActuatorSpec actuator) {
        return switch (actuator) {
            case ActuatorSpec.Ec2 ec2 ->
                new ActuatorBody.Ec2(ec2.kind(), ec2.instanceId(), ec2.region().orElse(null));
            case ActuatorSpec.Rds rds ->
                new ActuatorBody.Rds(
                        rds.kind(),
                        rds.identifier(),
                        rds.cluster(),
                        rds.region().orElse(null));
            case ActuatorSpec.Scale scale -> {
                var workload = scale.workload();
                yield new ActuatorBody.Scale(
                        scale.kind(), workload.namespace(), workload.kind().text(), workload.name());
            }
            case ActuatorSpec.CloudNativePg postgres ->
                new ActuatorBody.CloudNativePg(postgres.kind(), postgres.namespace(), postgres.cluster());
            case ActuatorSpec.Webhook webhook ->
                new ActuatorBody.Webhook(
                        webhook.kind(),
                        webhook.url().toString(),
                        webhook.statusUrl().toString(),
                        webhook.secret().isPresent());
            case ActuatorSpec.Simulated simulated -> new ActuatorBody.Simulated(simulated.kind());
        };
    }
}
