package io.holdfast.http;

import static io.holdfast.http.Refusals.assertInvalid;
import static io.holdfast.http.Refusals.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.contract.OpenApi;
import io.holdfast.contract.OpenApi.Operation;
import io.holdfast.contract.SampleRequest;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the contract says of every operation alike: which refusals it has, and what a request must have. */
public interface ContractFacts {
    int BODY_MAX = 64 * 1024;

    /** The operations with a body that may be empty. */
    Set<String> ALL_OPTIONAL = Set.of("PUT /v1/services/{id}", "POST /v1/services/{id}/deploy");

    @Test
    default void whatIsNotAcceptableIsRefusedWhereTheContractSaysSo() {
        for (var operation : OpenApi.contract().operations()) {
            var sample = SampleRequest.of(operation);

            var answer = Calls.call(operation.method(), sample.target(), sample.text(), "Accept", "image/png");

            if (operation.responses().containsKey(406)) {
                assertProblem(answer, 406, "not-acceptable");
            } else {
                assertThat(answer.statusCode()).as(operation.toString()).isEqualTo(200);
            }
        }
    }

    @Test
    default void aBodyOfAnotherMediaTypeIsRefusedByEveryOperationThatTakesOne() {
        for (var sample : samples(Operation::takesBody)) {
            var answer = Calls.callAs("text/plain", sample.operation().method(), sample.target(), sample.text());

            assertProblem(answer, 415, "unsupported-media-type");
        }
    }

    @Test
    default void aBodyThatIsTooLargeIsRefusedByEveryOperationThatTakesOne() {
        for (var sample : samples(Operation::takesBody)) {
            var padded = sample.text() + " ".repeat(BODY_MAX);

            assertProblem(Calls.call(sample.operation().method(), sample.target(), padded), 413, "body-too-large");
        }
    }

    @Test
    default void aRequiredParameterThatIsMissingIsNamed() {
        for (var sample : samples(operation -> true)) {
            for (var parameter : sample.query().keySet()) {
                assertInvalid(send(sample.withoutParameter(parameter)), parameter);
            }
        }
    }

    /** A hold or a stream of events that is understood has no end; the facts of each have it. A release needs more unless it is forced. */
    @Test
    default void aRequestWithTheRequiredParametersAloneIsUnderstood() {
        for (var sample : samples(operation -> !operation.path().endsWith("/hold")
                && !operation.path().endsWith("/events")
                && !operation.toString().equals("DELETE /v1/locks/{name}"))) {
            assertThat(send(sample).statusCode()).as(sample.toString()).isNotEqualTo(400);
        }
    }

    @Test
    default void aRequiredFieldThatIsMissingIsNamed() {
        for (var sample : samples(Operation::takesBody)) {
            var required = sample.requiredFields();
            assertThat(required.isEmpty())
                    .as(sample.toString())
                    .isEqualTo(ALL_OPTIONAL.contains(sample.operation().toString()));
            assertThat(required).allSatisfy(field -> assertInvalid(send(sample.withoutField(field)), field));
        }
    }

    @Test
    default void everyExampleIsUnderstoodAndSoItIsWithoutAnyOfItsOptionalFields() {
        var examples = OpenApi.contract().operations().stream()
                .filter(Operation::takesBody)
                .flatMap(SampleRequest::all)
                .toList();

        assertThat(examples).hasSizeGreaterThan(8).allSatisfy(example -> {
            var shorter = example.optionalFields().stream().map(example::withoutField);
            Stream.concat(Stream.of(example), shorter)
                    .forEach(request -> assertThat(send(request).statusCode())
                            .as(request.toString())
                            .isNotEqualTo(400));
        });
    }

    private static Answer send(SampleRequest sample) {
        return Calls.call(sample.operation().method(), sample.target(), sample.text());
    }

    private static List<SampleRequest> samples(Predicate<Operation> wanted) {
        return OpenApi.contract().operations().stream()
                .filter(wanted)
                .map(SampleRequest::of)
                .toList();
    }
}
