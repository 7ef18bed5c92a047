package io.holdfast.http.wire;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The body of an app's registration. */
@RegisterForReflection
@Schema(name = "PutApp")
public record PutAppBody(
        @Schema(
                        description =
                                "What an HTTP probe asks, http or https. Without one the app's state is unknown, and"
                                        + " its databases stay up",
                        examples = "https://billing.example/health")
                String url,
        @Schema(
                        description = "How to tell whether the app is up",
                        enumeration = {"http-200", "http-cautious", "kubernetes"},
                        defaultValue = "http-200")
                String probe,
        @Schema(
                        description = "How many times in a row \"down\" must be seen to be believed, 1 to 10",
                        defaultValue = "2")
                Integer confirmations,
        @Schema(description = "What a kubernetes probe looks at") WorkloadBody kubernetes,
        @Schema(
                        required = true,
                        description = "The identifiers of the databases it uses, at most 20, all registered before",
                        examples = "[\"i-0abc\", \"db.example:5432\"]")
                List<String> databases) {}
