package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.holdfast.contract.OpenApi.Operation;
import io.holdfast.suite.OnQuarkus;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the contract promises has been seen: every status of every operation with every code, every event, and every field
 * of every answer. Quarkus runs this class after all tests on Quarkus, in the same JVM, since it is not on Quarkus itself.
 * When only some of them were asked for, it says nothing.
 */
@OnQuarkus
class ContractCoverageTest {
    private static final String LOST_RACE =
            "takes a writer that changes the service without its lock: StatusWritesTest";

    /** What no test on Quarkus sees, and why. */
    private static final Map<String, String> ANSWERS_NOT_SEEN = Map.of(
            "POST /v1/locks/{name}/heartbeat 429 queue-full", "takes 10,000 leases at one replica: AutoRenewalsTest",
            "POST /v1/services/{id}/deploy 409 version-conflict", LOST_RACE,
            "POST /v1/services/{id}/result 409 version-conflict", LOST_RACE,
            "DELETE /v1/services/{id} 409 version-conflict", LOST_RACE);

    private static final Map<String, String> FIELDS_NOT_SEEN = Map.of(
            "present Waiter.subject", "only with access control: LockSubjectTest",
            "present Lost.remaining_ms", "only when a replica stops: HoldIT",
            "present Lost.expires_at", "only when a replica stops: HoldIT",
            "present UnknownSetting.name", "only with a setting that is not one: UnknownSettingsIT",
            "present UnknownSetting.nearest", "only with a setting that is not one: UnknownSettingsIT",
            "absent UnknownSetting.nearest", "only with a setting that is like no other: UnknownSettingsIT");

    private final OpenApi contract = OpenApi.contract();
    private final Set<String> seen = Seen.all();

    @BeforeAll
    static void requireThatAllHaveRun() {
        var seen = Seen.all();
        var left = new TreeSet<String>();
        new ClassFileImporter()
                .importPath(Path.of("target/test-classes")).stream()
                        .filter(type -> type.isAnnotatedWith(QuarkusTest.class))
                        .map(JavaClass::getName)
                        .forEach(left::add);
        left.removeIf(test -> seen.contains(Seen.ran(test)));
        if (!left.isEmpty() && isWholeBuild()) {
            throw new AssertionError("This test must run after all tests on Quarkus. These have not run: " + left);
        }
        if (!left.isEmpty()) {
            abort("These have not run: " + left);
        }
    }

    /** Surefire runs it, and -Dtest names no classes. */
    private static boolean isWholeBuild() {
        return System.getProperty("surefire.real.class.path") != null && System.getProperty("test") == null;
    }

    @Test
    void everyAnswerOfTheContractHasBeenSeen() {
        var promised = new TreeSet<String>();
        contract.operations().forEach(operation -> answers(operation).forEach(promised::add));

        assertThat(unseen(promised)).isEqualTo(ANSWERS_NOT_SEEN.keySet());
    }

    /** One that is optional has been missing, too: otherwise it is required. */
    @Test
    void everyFieldOfAnAnswerHasBeenSeenAndEveryOptionalOneHasBeenMissing() {
        var promised = new TreeSet<String>();
        contract.schemas().properties().stream()
                .filter(schema -> !SchemaComparison.takesNoOthers(schema.getValue()))
                .forEach(schema -> fields(schema.getKey(), schema.getValue()).forEach(promised::add));

        assertThat(unseen(promised)).isEqualTo(FIELDS_NOT_SEEN.keySet());
    }

    private Set<String> unseen(Set<String> promised) {
        var unseen = new TreeSet<>(promised);
        unseen.removeAll(seen);
        return unseen;
    }

    private static Stream<String> answers(Operation operation) {
        return operation.responses().entrySet().stream().flatMap(response -> details(response.getValue())
                .map(detail -> Seen.answer(operation.toString(), response.getKey(), detail)));
    }

    private static Stream<String> details(JsonNode response) {
        var events = response.at("/content/text~1event-stream/schema/oneOf")
                .valueStream()
                .map(event -> event.at("/properties/event/const").textValue())
                .toList();
        var codes = ProblemCodes.of(response);
        return events.isEmpty() && codes.isEmpty()
                ? Stream.of("")
                : Stream.of(events, codes).flatMap(List::stream);
    }

    private static Stream<String> fields(String name, JsonNode schema) {
        var required =
                schema.path("required").valueStream().map(JsonNode::textValue).toList();
        return schema.path("properties")
                .propertyStream()
                .map(Map.Entry::getKey)
                .flatMap(field -> required.contains(field)
                        ? Stream.of(Seen.present(name, field))
                        : Stream.of(Seen.present(name, field), Seen.absent(name, field)));
    }
}
