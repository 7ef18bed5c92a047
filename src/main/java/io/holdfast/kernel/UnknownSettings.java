package io.holdfast.kernel;

import java.util.List;

/** Names that are set for this process and that Holdfast does not know, most likely misspelt. */
public record UnknownSettings(List<KnownSettings.Unknown> all) {
    public UnknownSettings {
        all = List.copyOf(all);
    }
}
