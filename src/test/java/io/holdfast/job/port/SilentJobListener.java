package io.holdfast.job.port;

import java.lang.reflect.Proxy;

/** A listener that ignores everything. */
public final class SilentJobListener {
    public static final JobListener INSTANCE = (JobListener) Proxy.newProxyInstance(
            JobListener.class.getClassLoader(), new Class<?>[] {JobListener.class}, (proxy, method, arguments) -> null);

    private SilentJobListener() {}
}
