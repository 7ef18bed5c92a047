package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.access.model.ResourceKind;
import io.holdfast.http.edge.AccessWatch;
import io.holdfast.job.model.ClusterStatus;
import io.holdfast.job.model.JobStatus;
import io.holdfast.job.model.JobType;
import io.holdfast.job.model.Run;
import io.holdfast.lifecycle.model.Observation;
import io.holdfast.lifecycle.model.ServiceStatus;
import io.holdfast.lifecycle.model.Writer;
import io.holdfast.lock.keepalive.LeaseLoss;
import io.holdfast.lock.model.LockStatus;
import io.holdfast.lock.model.LockType;
import io.holdfast.power.model.AppStatus;
import io.holdfast.power.model.Decision;
import io.holdfast.power.model.Phase;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.Workload;
import io.holdfast.store.StoreConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each field of each body is in the contract with its type, and the other way round. */
class ContractFieldsTest {
    private final OpenApi contract = OpenApi.contract();

    @Test
    void theFieldsOfEveryRecordAreThoseOfTheContract() {
        var comparison = new SchemaComparison(contract);
        WireRecords.top().forEach((name, type) -> comparison.compare(type, name));

        assertThat(comparison.differences()).isEmpty();
        assertThat(comparison.compared()).hasSizeGreaterThan(30).isEqualTo(objects());
    }

    /** Answers may get more fields, so the others leave that open. */
    @Test
    void theBodiesThatRefuseOtherFieldsAreThoseOfRequests() {
        var requests = new SchemaComparison(contract);
        Routes.all()
                .forEach(route -> route.body().ifPresent(body -> requests.compare(body, WireRecords.schemaName(body))));
        var closed = new TreeSet<String>();
        contract.schemas().properties().forEach(schema -> {
            if (SchemaComparison.takesNoOthers(schema.getValue())) {
                closed.add(schema.getKey());
            }
        });

        assertThat(closed).isEqualTo(requests.compared());
    }

    @Test
    void theValuesOfEveryEnumAreThoseOfTheCode() {
        var expected = new TreeMap<String, List<String>>(Map.of(
                "/Lock/properties/status", values(LockStatus.values(), LockStatus::text),
                "/Lock/properties/lock_type", values(LockType.values(), LockType::text),
                "/Lost/properties/cause", lowerCase(LeaseLoss.Cause.values()),
                "/Decision/properties/decision", values(Decision.Result.values(), Enum::name),
                "/Database/properties/observed", values(Phase.values(), Enum::name),
                "/AppState", values(AppStatus.values(), Enum::name),
                "/ProbePolicy", values(ProbePolicy.values(), ProbePolicy::text),
                "/WorkloadKind", values(Workload.Kind.values(), Workload.Kind::text),
                "/About/properties/store", lowerCase(StoreConfig.Kind.values())));
        expected.put("/AccessMode", List.of("file", "open"));
        expected.put("/Granted/properties/kind", values(ResourceKind.values(), ResourceKind::word));
        expected.put("/Ended/properties/cause", lowerCase(AccessWatch.Cause.values()));
        expected.put("/ClusterStatus", values(ClusterStatus.values(), Enum::name));
        expected.put("/JobType", values(JobType.values(), Enum::name));
        expected.put("/JobStatus", values(JobStatus.values(), Enum::name));
        expected.put("/Run/properties/result", values(Run.Result.values(), Enum::name));
        expected.put("/ServiceStatus", values(ServiceStatus.values(), Enum::name));
        expected.put("/Writer", values(Writer.values(), Writer::text));
        expected.put("/Observed/properties/state", values(Observation.State.values(), Enum::name));
        expected.put("/Observe/properties/probe", List.of("http-200", "http-cautious"));
        expected.put("/DeploymentResult/properties/status", List.of("RUNNING", "FAILED"));
        expected.put("/LockType", withoutOther(LockType.values()));
        expected.put("/Database/properties/desired", List.of("RUNNING", "STOPPED"));
        expected.put("/PutActuator/properties/kind", List.of("ec2", "rds", "kubernetes", "webhook", "simulated"));

        var declared = new TreeMap<String, List<String>>();
        contract.schemas().properties().forEach(schema -> collect("/" + schema.getKey(), schema.getValue(), declared));
        // What a name is not; and the codes, which ContractTest compares.
        declared.keySet()
                .removeAll(List.of("/Name/not", "/ClusterId/not", "/ServiceId/not", "/Problem/properties/code"));

        assertThat(declared).isEqualTo(expected);
    }

    /** Everything that is more than one value. */
    private TreeSet<String> objects() {
        var objects = new TreeSet<String>();
        contract.schemas().properties().forEach(schema -> {
            if (schema.getValue().has("properties") || schema.getValue().has("oneOf")) {
                objects.add(schema.getKey());
            }
        });
        return objects;
    }

    private static void collect(String pointer, JsonNode node, Map<String, List<String>> found) {
        if (node.has("enum")) {
            found.put(
                    pointer,
                    node.get("enum").valueStream().map(JsonNode::textValue).toList());
        }
        node.properties().forEach(child -> collect(pointer + "/" + child.getKey(), child.getValue(), found));
    }

    /** One that a newer version has stored is shown and cannot be asked for. */
    private static List<String> withoutOther(LockType[] types) {
        return Arrays.stream(types)
                .filter(type -> type != LockType.OTHER)
                .map(LockType::text)
                .toList();
    }

    private static List<String> lowerCase(Enum<?>[] all) {
        return values(all, one -> one.name().toLowerCase(Locale.ROOT));
    }

    private static <E> List<String> values(E[] all, Function<E, String> text) {
        return Arrays.stream(all).map(text).toList();
    }
}
