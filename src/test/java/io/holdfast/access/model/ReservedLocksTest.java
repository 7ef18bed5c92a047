package io.holdfast.access.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.job.model.ClusterId;
import io.holdfast.lifecycle.model.ServiceId;
import io.holdfast.power.model.DatabaseLocks;
import io.holdfast.registry.DatabaseId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReservedLocksTest {
    /** Prefixes of lock names in the code of the capabilities. */
    private static final Pattern PREFIX = Pattern.compile("\"([A-Z]+#|system/)\"");

    @Test
    void theLocksOfTheServiceItselfAreReserved() {
        assertThat(ReservedLocks.contains(
                        DatabaseLocks.nameOf(new DatabaseId("i-1")).value()))
                .isTrue();
        assertThat(ReservedLocks.contains(new ClusterId("c").lock().value())).isTrue();
        assertThat(ReservedLocks.contains(new ServiceId("s").lock().value())).isTrue();
    }

    @Test
    void everyPrefixInTheCodeOfTheCapabilitiesIsReservedAndNoOther() throws IOException {
        var found = new TreeSet<String>();
        for (var capability : new String[] {"lock", "power", "job", "lifecycle"}) {
            try (var files = Files.walk(Path.of("src/main/java/io/holdfast", capability))) {
                for (var file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                    PREFIX.matcher(Files.readString(file)).results().forEach(match -> found.add(match.group(1)));
                }
            }
        }

        assertThat(found).containsExactlyInAnyOrderElementsOf(ReservedLocks.PREFIXES);
    }
}
