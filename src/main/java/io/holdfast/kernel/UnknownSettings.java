package io.holdfast.kernel;

import java.util.List;

/** What was set for this process and is not a setting. */
public record UnknownSettings(List<KnownSettings.Unknown> all) {
    public UnknownSettings {
        all = List.copyOf(all);
    }
}
