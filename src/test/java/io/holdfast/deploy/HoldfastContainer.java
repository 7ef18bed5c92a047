package io.holdfast.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** A container that runs this program, with the environment it gets. */
record HoldfastContainer(Rendered.Workload workload, Container container, Map<String, String> environment) {

    static Stream<HoldfastContainer> of(Rendered rendered, Rendered.Workload workload) {
        return workload.containers()
                .filter(container -> container.getImage().matches("(.*/)?holdfast[:@].*"))
                .map(container -> new HoldfastContainer(workload, container, environment(rendered, container)));
    }

    private static Map<String, String> environment(Rendered rendered, Container container) {
        var environment = new LinkedHashMap<String, String>();
        container
                .getEnvFrom()
                .forEach(source -> environment.putAll(
                        rendered.one(ConfigMap.class, source.getConfigMapRef().getName())
                                .getData()));
        container.getEnv().forEach(variable -> environment.put(variable.getName(), variable.getValue()));
        return environment;
    }

    @Override
    public String toString() {
        return workload + ", container " + container.getName();
    }
}
