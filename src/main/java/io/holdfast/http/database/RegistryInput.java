package io.holdfast.http.database;

import static io.holdfast.http.edge.Parameters.optional;
import static io.holdfast.http.edge.Parameters.required;

import io.holdfast.http.wire.database.PutAppBody;
import io.holdfast.http.wire.database.PutDatabaseBody;
import io.holdfast.http.wire.database.WorkloadBody;
import io.holdfast.kernel.InvalidInputException;
import io.holdfast.registry.App;
import io.holdfast.registry.AppName;
import io.holdfast.registry.Database;
import io.holdfast.registry.DatabaseId;
import io.holdfast.registry.ProbePolicy;
import io.holdfast.registry.ProbeSpec;
import io.holdfast.registry.Workload;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns the bodies of registrations into apps and databases. An error names the field as in the body. */
final class RegistryInput {
    private static final int CONFIRMATIONS_DEFAULT = 2;

    private RegistryInput() {}

    static App app(AppName name, PutAppBody body) {
        var probe = new ProbeSpec(
                optional(body.probe(), ProbePolicy::of).orElse(ProbePolicy.HTTP_200),
                optional(body.url(), url -> url("url", url)),
                Optional.ofNullable(body.kubernetes()).map(RegistryInput::workload),
                Optional.ofNullable(body.confirmations()).orElse(CONFIRMATIONS_DEFAULT));
        return new App(name, probe, databases(body));
    }

    static Database database(DatabaseId id, PutDatabaseBody body) {
        var address = new Database.Address(
                required("host", body.host()),
                Optional.ofNullable(body.port()),
                Optional.ofNullable(body.ec2InstanceId()));
        if (body.actuator() == null) {
            throw new InvalidInputException("actuator", "given");
        }
        var actuator = new ActuatorInput(body.actuator()).read(address.ec2InstanceId());
        return new Database(id, required("type", body.type()), address, actuator);
    }

    static URI url(String field, String text) {
        try {
            return ProbeSpec.checkUrl(field, new URI(text));
        } catch (URISyntaxException e) {
            throw new InvalidInputException(field, "an http or https URL");
        }
    }

    private static Workload workload(WorkloadBody body) {
        return new Workload(
                required("kubernetes.namespace", body.namespace()),
                Workload.Kind.of(required("kubernetes.kind", body.kind())),
                required("kubernetes.name", body.name()));
    }

    private static Set<DatabaseId> databases(PutAppBody body) {
        if (body.databases() == null) {
            throw new InvalidInputException("databases", "given; an empty list if there are none");
        }
        try {
            return body.databases().stream().map(DatabaseId::new).collect(Collectors.toSet());
        } catch (InvalidInputException e) {
            throw new InvalidInputException("databases", "a list of identifiers, each " + e.allowed());
        }
    }
}
