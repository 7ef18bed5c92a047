package io.holdfast.store.codec;

import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Probes and actuators as flat maps of strings, as every store keeps them. */
public final class SpecFields {
    private SpecFields() {}

    public static Map<String, String> of(ProbeSpec probe) {
        var fields = new HashMap<String, String>();
        fields.put("policy", probe.policy().text());
        fields.put("confirmations", Integer.toString(probe.confirmations()));
        probe.url().ifPresent(url -> fields.put("url", url.toString()));
        probe.workload().ifPresent(workload -> put(fields, workload));
        return fields;
    }

    public static ProbeSpec probe(Map<String, String> fields) {
        return new ProbeSpec(
                ProbePolicy.of(fields.get("policy")),
                maybe(fields, "url").map(URI::create),
                maybe(fields, "workload").map(kind -> workload(fields)),
                Integer.parseInt(fields.get("confirmations")));
    }

    public static Map<String, String> of(ActuatorSpec actuator) {
        var fields = new HashMap<String, String>();
        switch (actuator) {
            case ActuatorSpec.Ec2 ec2 -> {
                fields.put("kind", "ec2");
                fields.put("instance_id", ec2.instanceId());
                ec2.region().ifPresent(region -> fields.put("region", region));
            }
            case ActuatorSpec.Rds rds -> {
                fields.put("kind", rds.cluster() ? "rds_cluster" : "rds");
                fields.put("identifier", rds.identifier());
                rds.region().ifPresent(region -> fields.put("region", region));
            }
            case ActuatorSpec.Scale scale -> {
                fields.put("kind", "scale");
                put(fields, scale.workload());
            }
            case ActuatorSpec.CloudNativePg postgres -> {
                fields.put("kind", "cnpg");
                fields.put("namespace", postgres.namespace());
                fields.put("cluster", postgres.cluster());
            }
            case ActuatorSpec.Webhook webhook -> {
                fields.put("kind", "webhook");
                fields.put("url", webhook.url().toString());
                fields.put("status_url", webhook.statusUrl().toString());
                webhook.secret().ifPresent(secret -> fields.put("secret", secret));
            }
            case ActuatorSpec.Simulated simulated -> fields.put("kind", "simulated");
        }
        return fields;
    }

    public static ActuatorSpec actuator(Map<String, String> fields) {
        var kind = fields.get("kind");
        return switch (kind) {
            case "ec2" -> new ActuatorSpec.Ec2(fields.get("instance_id"), maybe(fields, "region"));
            case "rds", "rds_cluster" ->
                new ActuatorSpec.Rds(fields.get("identifier"), kind.equals("rds_cluster"), maybe(fields, "region"));
            case "scale" -> new ActuatorSpec.Scale(workload(fields));
            case "cnpg" -> new ActuatorSpec.CloudNativePg(fields.get("namespace"), fields.get("cluster"));
            case "webhook" ->
                new ActuatorSpec.Webhook(
                        URI.create(fields.get("url")), URI.create(fields.get("status_url")), maybe(fields, "secret"));
            case "simulated" -> new ActuatorSpec.Simulated();
            default -> throw new IllegalStateException("A database has an actuator of unknown kind '" + kind + "'.");
        };
    }

    private static void put(Map<String, String> fields, Workload workload) {
        fields.put("namespace", workload.namespace());
        fields.put("workload", workload.kind().text());
        fields.put("name", workload.name());
    }

    private static Workload workload(Map<String, String> fields) {
        return new Workload(fields.get("namespace"), Workload.Kind.of(fields.get("workload")), fields.get("name"));
    }

    private static Optional<String> maybe(Map<String, String> fields, String name) {
        return Optional.ofNullable(fields.get(name));
    }
}
