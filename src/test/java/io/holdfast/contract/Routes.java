package io.holdfast.contract;

import com.tngtech.archunit.core.domain.JavaClass;
import io.holdfast.architecture.Code;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What the JAX-RS resources declare, by reflection. */
final class Routes {
    private Routes() {}

    /** @param parameters each with where it is: {@code query limit} */
    record Route(String method, String path, SortedSet<String> parameters, Optional<Class<?>> body) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static List<Route> all() {
        return Code.MAIN.stream()
                .filter(type -> type.isAnnotatedWith(Path.class))
                .map(JavaClass::reflect)
                .flatMap(Routes::of)
                .toList();
    }

    static Stream<Route> of(Class<?> resource) {
        return Arrays.stream(resource.getDeclaredMethods())
                .flatMap(method -> verb(method).map(verb -> route(resource, method, verb)).stream());
    }

    private static Optional<String> verb(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(verb -> verb != null)
                .map(HttpMethod::value)
                .findAny();
    }

    private static Route route(Class<?> resource, Method method, String verb) {
        var parameters = new TreeSet<String>();
        Optional<Class<?>> body = Optional.empty();
        for (var parameter : method.getParameters()) {
            if (parameter.isAnnotationPresent(BeanParam.class)) {
                for (var component :
                        parameter.getType().getDeclaredConstructors()[0].getParameters()) {
                    parameters.add(named(component, component.getName()).orElseThrow());
                }
            } else if (!parameter.isAnnotationPresent(Context.class)) {
                var name = named(parameter, parameter.getName());
                name.ifPresent(parameters::add);
                body = name.isPresent() ? body : Optional.of(parameter.getType());
            }
        }
        return new Route(verb, path(resource) + path(method), parameters, body);
    }

    private static String path(AnnotatedElement element) {
        var path = element.isAnnotationPresent(Path.class)
                ? element.getAnnotation(Path.class).value()
                : "";
        return path;
    }

    /** None if it has no annotation: then it is the body. */
    private static Optional<String> named(AnnotatedElement parameter, String javaName) {
        return Arrays.stream(parameter.getAnnotations())
                .flatMap(annotation -> named(annotation, javaName).stream())
                .findAny();
    }

    private static Optional<String> named(Annotation annotation, String javaName) {
        return Optional.ofNullable(
                switch (annotation) {
                    case RestPath path -> "path " + or(path.value(), javaName);
                    case RestQuery query -> "query " + or(query.value(), javaName);
                    case RestHeader header -> "header " + or(header.value(), javaName);
                    case PathParam path -> "path " + path.value();
                    case QueryParam query -> "query " + query.value();
                    case HeaderParam header -> "header " + header.value();
                    default -> null;
                });
    }

    private static String or(String given, String javaName) {
        return given.isEmpty() ? javaName : given;
    }
}
