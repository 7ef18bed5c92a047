package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MainTest {
    private static final int JAVA_17 = 61;

    @Test
    void java17CanLoadTheMainClass() throws IOException {
        try (var file = new DataInputStream(Main.class.getResourceAsStream("Main.class"))) {
            file.skipNBytes(6);
            assertThat(file.readUnsignedShort()).isLessThanOrEqualTo(JAVA_17);
        }
    }
}
