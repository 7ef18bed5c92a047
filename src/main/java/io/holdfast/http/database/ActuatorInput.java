package io.holdfast.http.database;

import io.holdfast.http.edge.Parameters;
import io.holdfast.http.wire.database.PutActuatorBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.registry.ActuatorSpec;
import io.holdfast.registry.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Validates the actuator of a request. Each kind has its own fields; a field of another kind is refused. */
final class ActuatorInput {
    private static final String PREFIX = "actuator.";

    private final PutActuatorBody body;

    ActuatorInput(PutActuatorBody body) {
        this.body = body;
    }

    /** @param ec2InstanceId of the database; an EC2 actuator without an instance id stops this one */
    ActuatorSpec read(Optional<String> ec2InstanceId) {
        return switch (required("kind", body.kind())) {
            case "ec2" -> {
                takesOnly("instance_id", "region");
                var instance = Optional.ofNullable(body.instanceId())
                        .or(() -> ec2InstanceId)
                        .orElseThrow(() -> new InvalidInputException(
                                PREFIX + "instance_id", "given when the database has no ec2_instance_id"));
                yield new ActuatorSpec.Ec2(instance, Optional.ofNullable(body.region()));
            }
            case "rds" -> {
                takesOnly("identifier", "cluster", "region");
                yield new ActuatorSpec.Rds(
                        required("identifier", body.identifier()),
                        Boolean.TRUE.equals(body.cluster()),
                        Optional.ofNullable(body.region()));
            }
            case "kubernetes" -> body.cnpgCluster() == null ? scale() : cloudNativePg();
            case "webhook" -> {
                takesOnly("url", "status_url", "secret");
                yield new ActuatorSpec.Webhook(
                        RegistryInput.url(PREFIX + "url", required("url", body.url())),
                        RegistryInput.url(PREFIX + "status_url", required("status_url", body.statusUrl())),
                        Optional.ofNullable(body.secret()));
            }
            case "simulated" -> {
                takesOnly();
                yield new ActuatorSpec.Simulated();
            }
            default ->
                throw new InvalidInputException(PREFIX + "kind", "one of ec2, rds, kubernetes, webhook, simulated");
        };
    }

    private ActuatorSpec scale() {
        takesOnly("namespace", "workload", "name");
        var kind = Optional.ofNullable(body.workload()).orElse(Workload.Kind.STATEFUL_SET.text());
        return named(() -> new ActuatorSpec.Scale(new Workload(
                required("namespace", body.namespace()), Workload.Kind.of(kind), required("name", body.name()))));
    }

    private ActuatorSpec cloudNativePg() {
        takesOnly("namespace", "cnpg_cluster");
        return named(() -> new ActuatorSpec.CloudNativePg(required("namespace", body.namespace()), body.cnpgCluster()));
    }

    private interface Reading {
        ActuatorSpec read();
    }

    /** Translates the field names of an error: in an actuator, the fields of a workload have other names than in an app. */
    private static ActuatorSpec named(Reading reading) {
        try {
            return reading.read();
        } catch (InvalidInputException e) {
            var field =
                    switch (e.field()) {
                        case "kubernetes.namespace" -> PREFIX + "namespace";
                        case "kubernetes.kind" -> PREFIX + "workload";
                        case "kubernetes.name" -> PREFIX + "name";
                        default -> e.field();
                    };
            throw new InvalidInputException(field, e.allowed());
        }
    }

    private void takesOnly(String... fields) {
        var own = Set.of(fields);
        given().forEach((field, value) -> {
            if (value != null && !own.contains(field)) {
                throw new InvalidInputException(
                        PREFIX + field, "left out; this actuator of kind " + body.kind() + " takes " + listed(fields));
            }
        });
    }

    private static String listed(String... fields) {
        return fields.length == 0 ? "no other field" : String.join(", ", fields);
    }

    private Map<String, Object> given() {
        var given = new LinkedHashMap<String, Object>();
        given.put("instance_id", body.instanceId());
        given.put("region", body.region());
        given.put("identifier", body.identifier());
        given.put("cluster", body.cluster());
        given.put("namespace", body.namespace());
        given.put("workload", body.workload());
        given.put("name", body.name());
        given.put("cnpg_cluster", body.cnpgCluster());
        given.put("url", body.url());
        given.put("status_url", body.statusUrl());
        given.put("secret", body.secret());
        return given;
    }

    private static String required(String field, String value) {
        return Parameters.required(PREFIX + field, value);
    }
}
