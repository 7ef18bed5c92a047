package io.holdfast.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A manifest as an API server with strict validation takes it: no unknown field at any depth, no other type. */
final class Manifest {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Stream.<Class<? extends HasMetadata>>of(
                    ClusterRole.class,
                    ConfigMap.class,
                    Deployment.class,
                    HorizontalPodAutoscaler.class,
                    Pod.class,
                    Namespace.class,
                    NetworkPolicy.class,
                    PodDisruptionBudget.class,
                    PriorityClass.class,
                    PrometheusRule.class,
                    RoleBinding.class,
                    Service.class,
                    ServiceAccount.class,
                    ServiceMonitor.class,
                    StatefulSet.class)
            .collect(Collectors.toMap(
                    type -> HasMetadata.getApiVersion(type) + " " + HasMetadata.getKind(type), Function.identity()));

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .annotationIntrospector(new KnownFieldsOnly())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    /** The model keeps fields that it does not know in a map beside the others; without it they are refused. */
    private static final class KnownFieldsOnly extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    private Manifest() {}

    static HasMetadata parse(JsonNode manifest) {
        var kind = manifest.path("apiVersion").asText() + " "
                + manifest.path("kind").asText();
        var type = KINDS.get(kind);
        if (type == null) {
            throw new IllegalArgumentException("unknown kind: " + kind);
        }
        try {
            var parsed = MAPPER.treeToValue(manifest, type);
            // A number where a text belongs is read as one: it shows when it is written again.
            var written = MAPPER.readTree(MAPPER.writeValueAsString(parsed));
            compare("", manifest, written);
            return parsed;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Down to where the two differ: whole manifests side by side help nobody. */
    private static void compare(String path, JsonNode manifest, JsonNode written) {
        if (manifest.isObject() && written.isObject()) {
            var names = new TreeSet<String>();
            manifest.fieldNames().forEachRemaining(names::add);
            written.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> compare(path + "/" + name, manifest.path(name), written.path(name)));
        } else if (manifest.isArray() && manifest.size() == written.size()) {
            for (var i = 0; i < manifest.size(); i++) {
                compare(path + "/" + i, manifest.path(i), written.path(i));
            }
        } else if (!manifest.equals(written)) {
            throw new IllegalArgumentException("%s is read as %s at %s".formatted(manifest, written, path));
        }
    }
}
