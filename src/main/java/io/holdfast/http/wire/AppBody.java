package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.registry.App;
import io.holdfast.registry.DatabaseId;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.net.URI;
import java.util.List;

/** An app as callers see it. */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppBody(
        String name, String url, String probe, int confirmations, WorkloadBody kubernetes, List<String> databases) {

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
