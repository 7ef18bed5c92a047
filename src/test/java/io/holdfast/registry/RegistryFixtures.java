package io.holdfast.registry;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Short words for registry tests. */
public final class RegistryFixtures {
    public static final ProbeSpec NO_PROBE = new ProbeSpec(ProbePolicy.HTTP_200, Optional.empty(), Optional.empty(), 2);
    public static final ProbeSpec HTTP_PROBE = new ProbeSpec(
            ProbePolicy.HTTP_200, Optional.of(URI.create("https://app.example/health?a=b%20c")), Optional.empty(), 3);

    private RegistryFixtures() {}

    public static DatabaseId anId() {
        return new DatabaseId("db-" + UUID.randomUUID() + ".example:5432");
    }

    public static AppName aName() {
        return new AppName("app-" + UUID.randomUUID());
    }

    public static Database database(DatabaseId id) {
        return database(id, new ActuatorSpec.Simulated());
    }

    public static Database database(DatabaseId id, ActuatorSpec actuator) {
        var host = id.value().substring(0, id.value().indexOf(':'));
        return new Database(id, "postgres", new Database.Address(host, Optional.of(5432), Optional.empty()), actuator);
    }

    public static App app(AppName name, DatabaseId... databases) {
        return app(name, HTTP_PROBE, databases);
    }

    public static App app(AppName name, ProbeSpec probe, DatabaseId... databases) {
        return new App(name, probe, Arrays.stream(databases).collect(Collectors.toSet()));
    }

    public static List<ProbeSpec> everyProbe() {
        var workload = new Workload("shop", Workload.Kind.DEPLOYMENT, "billing.v2");
        return List.of(
                NO_PROBE,
                HTTP_PROBE,
                new ProbeSpec(
                        ProbePolicy.HTTP_CAUTIOUS,
                        Optional.of(URI.create("http://[::1]:8080/")),
                        Optional.empty(),
                        ProbeSpec.CONFIRMATIONS_MAX),
                new ProbeSpec(ProbePolicy.KUBERNETES, Optional.empty(), Optional.of(workload), 1),
                new ProbeSpec(
                        ProbePolicy.KUBERNETES,
                        Optional.of(URI.create("http://billing.example/")),
                        Optional.of(new Workload("shop", Workload.Kind.STATEFUL_SET, "billing")),
                        2));
    }

    public static List<ActuatorSpec> everyActuator() {
        var url = URI.create("https://hooks.example/stop");
        var statusUrl = URI.create("https://hooks.example/status?of=%C3%A9");
        return List.of(
                new ActuatorSpec.Ec2("i-0abc", Optional.empty()),
                new ActuatorSpec.Ec2("i-0abc", Optional.of("eu-central-1")),
                new ActuatorSpec.Rds("orders", false, Optional.empty()),
                new ActuatorSpec.Rds("orders", true, Optional.of("us-gov-west-1")),
                new ActuatorSpec.Scale(new Workload("shop", Workload.Kind.DEPLOYMENT, "neo4j")),
                new ActuatorSpec.Scale(new Workload("shop", Workload.Kind.STATEFUL_SET, "postgres")),
                new ActuatorSpec.CloudNativePg("shop", "orders"),
                new ActuatorSpec.Webhook(url, statusUrl, Optional.empty()),
                new ActuatorSpec.Webhook(url, statusUrl, Optional.of("s3cret \"ü\" \n 😀")),
                new ActuatorSpec.Simulated());
    }

    public static Set<AppName> names(SharedDatabase shared) {
        return shared.sharers().stream().map(Sharer::app).collect(Collectors.toSet());
    }
}
