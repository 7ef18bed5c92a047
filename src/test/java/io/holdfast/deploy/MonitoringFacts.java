package io.holdfast.deploy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.http.ContentType;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Alerts and dashboard ask for what the service really shows. */
public interface MonitoringFacts {
    @Test
    default void everyQueryOfAlertsAndDashboardFindsItsSeries() {
        // A call to the store and a request are counted from the first on.
        given().contentType(ContentType.JSON)
                .body(Map.of("owner", "ada"))
                .post("/v1/locks/monitored-" + UUID.randomUUID())
                .then()
                .statusCode(201);
        var served = new Scrape(given().get("/q/metrics").asString());

        assertThat(Monitoring.queries().flatMap(query -> served.missing(query).stream()))
                .isEmpty();
    }
}
