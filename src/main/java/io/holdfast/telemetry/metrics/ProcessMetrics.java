package io.holdfast.telemetry.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What the process uses of its machine, told alike by the JVM's program and by the native one. */
@Singleton
public class ProcessMetrics implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("process.cpu.seconds", this, ProcessMetrics::cpuSeconds)
                .description("Processor time that this process has used")
                .register(registry);
        Gauge.builder("process.resident.memory.bytes", this, ProcessMetrics::residentBytes)
                .description("Memory that this process has in use, as the system counts it")
                .register(registry);
    }

    private double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }

    /** NaN where the system does not tell it so. */
    private double residentBytes() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
