package io.holdfast.cli.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, from a file that the build writes. */
public final class Version implements IVersionProvider {
    private static final String RESOURCE = "/cli/version";

    @Override
    public String[] getVersion() {
        return new String[] {"holdfast " + number()};
    }

    public static String number() {
        try (var in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
