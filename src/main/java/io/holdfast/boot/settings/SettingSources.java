package io.holdfast.boot.settings;

import io.holdfast.kernel.KnownSettings;
import io.smallrye.config.EnvConfigSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Finds unknown settings in all sources: environment, .env, system properties and properties files. */
final class SettingSources {
    private static final Pattern FILE = Pattern.compile(".*\\[source=(?:file:)?(.*)]");

    private SettingSources() {}

    /** @param source the source for a log line */
    record Found(KnownSettings.Unknown setting, String source) {}

    static List<Found> unknown(Config config) {
        return StreamSupport.stream(config.getConfigSources().spliterator(), false)
                .flatMap(SettingSources::unknown)
                .toList();
    }

    private static Stream<Found> unknown(ConfigSource source) {
        return new TreeSet<>(source.getPropertyNames())
                .stream()
                        .flatMap(name -> unknown(source, name).stream())
                        .map(setting -> new Found(setting, description(source.getName())));
    }

    private static Optional<KnownSettings.Unknown> unknown(ConfigSource source, String name) {
        if (!(source instanceof EnvConfigSource)) {
            return KnownSettings.unknownKey(name);
        }
        var variable = KnownSettings.variable(name);
        // SmallRye Config adds a key in lower case for each variable.
        return !variable.equals(name) && source.getPropertyNames().contains(variable)
                ? Optional.empty()
                : KnownSettings.unknownVariable(name, String.valueOf(source.getValue(name)));
    }

    private static String description(String source) {
        var file = FILE.matcher(source);
        if (file.matches()) {
            return file.group(1);
        }
        return switch (source) {
            case "EnvConfigSource" -> "environment";
            case "SysPropConfigSource" -> "system properties";
            default -> source;
        };
    }
}
