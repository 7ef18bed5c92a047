package io.holdfast.probe;

import static io.holdfast.power.model.AppStatus.DOWN;
import static io.holdfast.power.model.AppStatus.UNKNOWN;
import static io.holdfast.power.model.AppStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.power.model.AppStatus;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpVerdictsTest {
    private static final URI ASKED = URI.create("https://reports.example:8443/health");

    @Test
    void ofHttp200Only200IsUpAndEveryOtherStatusIsDown() {
        assertThat(codes(answer -> HttpVerdicts.http200(answer) == UP)).containsExactly(200);
        assertThat(codes(answer -> HttpVerdicts.http200(answer) == DOWN))
                .containsExactlyElementsOf(codes(answer -> answer.code() != 200));
    }

    @Test
    void ofHttpCautiousOnlyAnswersOfTheAppAreUpAndOnly410IsDown() {
        assertThat(codes(answer -> HttpVerdicts.cautious(answer) == UP))
                .containsExactlyElementsOf(codes(answer ->
                        answer.code() / 100 == 2 || Set.of(401, 403, 429).contains(answer.code())));
        assertThat(codes(answer -> HttpVerdicts.cautious(answer) == DOWN)).containsExactly(410);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308})
    void ofHttpCautiousARedirectToTheSameHostIsUpAndToAnotherUnknown(int code) {
        assertThat(HttpVerdicts.cautious(pointing(code, "https://reports.example:8443/login")))
                .isEqualTo(UP);
        assertThat(HttpVerdicts.cautious(pointing(code, "https://login.example/")))
                .isEqualTo(UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "/login, UP",
        "login, UP",
        "?next=1, UP",
        "'', UP",
        "//reports.example/x, UP",
        "http://reports.example/x, UP",
        "https://REPORTS.example, UP",
        "//other.example/x, UNKNOWN",
        "https://reports.example.evil.example/, UNKNOWN",
        "https://reports.example@evil.example/, UNKNOWN",
        "mailto:reports.example, UNKNOWN",
        "https:, UNKNOWN",
        "'http://reports .example/', UNKNOWN",
        "'https://[reports.example]/', UNKNOWN",
    })
    void ofHttpCautiousALocationIsReadAsAnAddressNotAsText(String location, AppStatus expected) {
        assertThat(HttpVerdicts.cautious(pointing(302, location))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410, 500, 503})
    void aLocationChangesNothingOutside3xx(int code) {
        assertThat(HttpVerdicts.cautious(pointing(code, "/login"))).isEqualTo(HttpVerdicts.cautious(answer(code)));
    }

    @Test
    void only405ToHeadIsAskedAgainWithGet() {
        assertThat(codes(HttpVerdicts::needsGet)).containsExactly(405);
    }

    @Test
    void a405ToGetIsNotAskedAgain() {
        assertThat(HttpVerdicts.needsGet(new HttpAnswer("GET", ASKED, 405, Optional.empty())))
                .isFalse();
    }

    /** The codes, of all that there can be, whose answers to HEAD without a Location are so. */
    private static List<Integer> codes(Predicate<HttpAnswer> so) {
        return IntStream.rangeClosed(100, 999)
                .filter(code -> so.test(answer(code)))
                .boxed()
                .toList();
    }

    private static HttpAnswer answer(int code) {
        return new HttpAnswer("HEAD", ASKED, code, Optional.empty());
    }

    private static HttpAnswer pointing(int code, String location) {
        return new HttpAnswer("HEAD", ASKED, code, Optional.of(location));
    }
}
