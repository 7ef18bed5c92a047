package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.registry.App;
import io.holdfast.registry.DatabaseId;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An app as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "App")
public record AppBody(
        @Schema(examples = "billing") String name,
        @Schema(examples = "https://billing.example/health") String url,
        @Schema(enumeration = {"http-200", "http-cautious", "kubernetes"}) String probe,
        @Schema(examples = "2") int confirmations,
        WorkloadBody kubernetes,
        @Schema(examples = "[\"i-0abc\", \"db.example:5432\"]") List<String> databases) {

    public static AppBody of(App app) {
        var probe = app.probe();
        return new AppBody(
                app.name().value(),
                probe.url().map(URI::toString).orElse(null),
                probe.policy().text(),
                probe.confirmations(),
                probe.workload().map(WorkloadBody::of).orElse(null),
                app.databases().stream().map(DatabaseId::value).toList());
    }
}
