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

/** CPU time and memory of the process, under the same names for the JVM and the native program. */
@Singleton
public class ProcessMetrics implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("process.cpu.seconds", this, ProcessMetrics::cpuSeconds)
                .description("CPU time that this process has used")
                .register(registry);
        Gauge.builder("process.resident.memory.bytes", this, ProcessMetrics::residentBytes)
                .description("Resident memory of this process")
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

    /** NaN on systems without {@code /proc}. */
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
