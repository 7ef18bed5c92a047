package io.holdfast.docs;

import com.tngtech.archunit.core.domain.JavaClass;
import io.holdfast.architecture.Code;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.common.utils.StringUtil;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A setting that the code reads, with the name of its variable and what holds when nothing is set. */
public record Setting(String key, String environment, String byDefault) {
    private static final List<Class<?>> MAPPINGS = Code.MAIN.stream()
            .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
            .<Class<?>>map(JavaClass::reflect)
            .toList();

    public static List<Class<?>> mappings() {
        return MAPPINGS;
    }

    public static List<Setting> all() {
        return MAPPINGS.stream()
                .flatMap(mapping ->
                        all(mapping.getAnnotation(ConfigMapping.class).prefix(), mapping))
                .toList();
    }

    /** Also those of the groups in it. */
    private static Stream<Setting> all(String prefix, Class<?> group) {
        return Arrays.stream(group.getMethods()).flatMap(method -> {
            var key = prefix + "." + StringUtil.skewer(method.getName());
            var type = method.getReturnType();
            return type.isInterface() && type.getEnclosingClass() == group
                    ? all(key, type)
                    : Stream.of(new Setting(key, environment(key), byDefault(method)));
        });
    }

    public static String environment(String key) {
        return StringUtil.replaceNonAlphanumericByUnderscores(key).toUpperCase(Locale.ROOT);
    }

    /** What holds when nothing is set, an older name of the setting included. */
    private static String byDefault(Method method) {
        var written = method.getAnnotation(WithDefault.class);
        var value = written == null ? "" : written.value().replaceAll("\\$\\{\\w+:([^}]*)}", "$1");
        return value.isEmpty() ? "none" : value;
    }
}
