package io.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.contract.OpenApi.Operation;
import io.holdfast.contract.Routes.Route;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each route of the resources is in the contract with its parameters and its body, and the other way round. */
class ContractRoutesTest {
    /** OpenAPI ignores these among the parameters: they follow from the media types. */
    private static final Set<String> NOT_PARAMETERS = Set.of("header Accept", "header Content-Type");

    private final OpenApi contract = OpenApi.contract();

    @Test
    void theRoutesAreThoseOfTheContract() {
        assertThat(routes(Route::method).keySet())
                .hasSizeGreaterThan(20)
                .isEqualTo(operations(Operation::method).keySet());
    }

    @Test
    void theParametersOfEachRouteAreThoseOfTheContract() {
        assertThat(routes(ContractRoutesTest::parameters)).isEqualTo(operations(ContractRoutesTest::parameters));
    }

    /** {@code ContractFieldsTest} compares the fields. */
    @Test
    void theBodyOfEachRouteIsThatOfTheContract() {
        assertThat(routes(route -> route.body().map(WireRecords::schemaName)))
                .isEqualTo(operations(ContractRoutesTest::bodySchema));
    }

    private static SortedSet<String> parameters(Route route) {
        var parameters = new TreeSet<>(route.parameters());
        parameters.removeAll(NOT_PARAMETERS);
        return parameters;
    }

    private static SortedSet<String> parameters(Operation operation) {
        var parameters = new TreeSet<String>();
        operation
                .parameters()
                .forEach(parameter -> parameters.add(text(parameter, "in") + " " + text(parameter, "name")));
        return parameters;
    }

    private static Optional<String> bodySchema(Operation operation) {
        return operation.takesBody()
                ? Optional.of(WireRecords.schemaName(
                        operation.body().at("/schema/$ref").textValue()))
                : Optional.empty();
    }

    private static String text(JsonNode parameter, String field) {
        return parameter.required(field).textValue();
    }

    private static <T> Map<String, T> routes(Function<Route, T> what) {
        var all = new TreeMap<String, T>();
        Routes.all().forEach(route -> assertThat(all.put(route.toString(), what.apply(route)))
                .as("%s, which is there twice", route)
                .isNull());
        return all;
    }

    private <T> Map<String, T> operations(Function<Operation, T> what) {
        var all = new TreeMap<String, T>();
        contract.operations().forEach(operation -> all.put(operation.toString(), what.apply(operation)));
        return all;
    }
}
