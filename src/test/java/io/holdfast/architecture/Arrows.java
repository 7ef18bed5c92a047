package io.holdfast.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import jakarta.inject.Inject;
import java.nio.channels.Channel;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkClient;

/** The rules of the house, for a tree of packages below {@code root}. */
final class Arrows {
    /** Of a native program classes are loaded when it is built, and what lives only while it runs cannot be kept. */
    private static final DescribedPredicate<JavaClass> LIVING = Stream.of(
                    Buffer.class,
                    ByteBuf.class,
                    Thread.class,
                    Executor.class,
                    Random.class,
                    Channel.class,
                    java.net.http.HttpClient.class,
                    HttpClient.class,
                    SdkClient.class)
            .map(JavaClass.Predicates::assignableTo)
            .reduce((one, other) -> one.or(other))
            .orElseThrow();

    private Arrows() {}

    static Map<String, ArchRule> below(String root) {
        var arrows = new HashMap<String, ArchRule>();
        arrows.put("registry knows only the kernel", knowsOnly(root, "registry", "kernel"));
        arrows.put("power knows locks and the registry", knowsOnly(root, "power", "kernel", "lock", "registry"));
        arrows.put("remote knows only the kernel", knowsOnly(root, "remote", "kernel"));
        arrows.put(
                "the command line knows what is sent and no more",
                knowsOnly(root, "cli", "kernel", "remote", "access", "http.wire"));
        arrows.put(
                "the service does without the command line",
                noClasses()
                        .that(not(resideInAnyPackage(root + ".cli..", root + ".boot..")))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(root + ".cli.."));
        arrows.put(
                "spans are made in telemetry",
                noClasses()
                        .that(not(resideInAnyPackage(root + ".telemetry..", root + ".boot..")))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.opentelemetry.."));
        arrows.put(
                "nothing that lives is made when a class is loaded",
                noFields().that().areStatic().should().haveRawType(LIVING));
        arrows.putAll(Map.of(
                "no cycles",
                slices().matching(root + ".(*)..").should().beFreeOfCycles(),
                "the kernel knows nobody",
                knowsOnly(root, "kernel"),
                "lock knows only the kernel",
                knowsOnly(root, "lock", "kernel"),
                "the AWS SDK stays in its adapters",
                noClasses()
                        .that(not(
                                resideInAnyPackage(root + ".store.dynamodb..", root + ".actuator..", root + ".boot..")))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("software.amazon.."),
                "JAX-RS stays at the edge",
                noClasses()
                        .that(not(resideInAnyPackage(root + ".http..", root + ".dashboard..")))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("jakarta.ws.rs.."),
                "SQL stays in the embedded store",
                noClasses()
                        .that(not(resideInAPackage(root + ".store.embedded..")))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.sql..", "org.sqlite.."),
                "the machine's clock is read in boot alone",
                noClasses()
                        .that(not(resideInAPackage(root + ".boot..")))
                        .should(callMethod(Instant.class, "now")
                                .or(callMethod(System.class, "currentTimeMillis"))
                                .or(callMethod(LocalDateTime.class, "now"))
                                .or(callMethod(OffsetDateTime.class, "now"))
                                .or(callMethod(ZonedDateTime.class, "now"))
                                .or(callMethod(Clock.class, "systemUTC"))
                                .or(callMethod(Clock.class, "systemDefaultZone"))),
                "outcomes are sealed",
                classes()
                        .that()
                        .areInterfaces()
                        .and()
                        .haveSimpleNameEndingWith("Outcome")
                        .should(BE_SEALED),
                "injection is by constructor",
                fields().should().notBeAnnotatedWith(Inject.class)));
        return arrows;
    }

    private static ArchRule knowsOnly(String root, String capability, String... known) {
        var allowed = new String[known.length + 1];
        allowed[0] = root + "." + capability + "..";
        for (var i = 0; i < known.length; i++) {
            allowed[i + 1] = root + "." + known[i] + "..";
        }
        return noClasses()
                .that()
                .resideInAPackage(root + "." + capability + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(root + "..").and(not(resideInAnyPackage(allowed))));
    }

    private static final ArchCondition<JavaClass> BE_SEALED = new ArchCondition<>("be sealed") {
        @Override
        public void check(JavaClass item, ConditionEvents events) {
            var sealed = item.reflect().isSealed();
            events.add(new SimpleConditionEvent(item, sealed, item.getName() + " is sealed: " + sealed));
        }
    };
}
