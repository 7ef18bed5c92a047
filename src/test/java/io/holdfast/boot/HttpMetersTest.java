package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import org.junit.jupiter.api.Test;

class HttpMetersTest {
    @Test
    void thePathOfARequestThatWasResetIsNoTag() {
        assertThat(uri("http.server.requests", "RESET")).isEqualTo("UNKNOWN");
    }

    @Test
    void otherRequestsAndOtherMetersKeepTheirTags() {
        assertThat(uri("http.server.requests", "200")).isEqualTo("/v1/locks/{name}");
        assertThat(uri("http.client.requests", "RESET")).isEqualTo("/v1/locks/{name}");
    }

    private static String uri(String name, String status) {
        var id = new Meter.Id(name, Tags.of("uri", "/v1/locks/{name}", "status", status), null, null, Meter.Type.TIMER);
        return new HttpMeters().withoutPathsOfResetRequests().map(id).getTag("uri");
    }
}
