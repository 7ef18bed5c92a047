package io.holdfast.access;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Limits of access control. {@link AccessLimits} checks them at start. */
@ConfigMapping(prefix = "holdfast.access")
public interface AccessConfig {
    /** How often the access file is read for changes. A change counts after two equal reads. */
    @WithDefault("2s")
    Duration reloadEvery();

    /** A larger access file is refused. */
    @WithDefault("1M")
    MemorySize fileMax();

    /** A longer token is refused. */
    @WithDefault("8192")
    int tokenLengthMax();

    /** How many verified tokens a replica remembers. Others are verified again with each request. */
    @WithDefault("10000")
    int cachedTokensMax();

    /** How far the clocks of issuers may differ, unless the access file says so for one. At most 5m. */
    @WithDefault("30s")
    Duration leeway();

    /** How long a fetch of an issuer's keys may take. Requests that need the keys wait this long. */
    @WithDefault("3s")
    Duration jwksTimeout();

    /** A longer answer of an issuer is refused. */
    @WithDefault("256K")
    MemorySize jwksBodyMax();

    /** How often keys are fetched again. A key that its issuer removes is used this long. */
    @WithDefault("5m")
    Duration jwksRefresh();

    /** The shortest pause between two fetches from an issuer. A token with a new key may be refused this long. */
    @WithDefault("5s")
    Duration jwksPause();

    /** How long keys are used while their issuer cannot be reached. After that its tokens get 503. */
    @WithDefault("6h")
    Duration jwksKeepMax();
}
