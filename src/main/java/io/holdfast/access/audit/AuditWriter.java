package io.holdfast.access.audit;

import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/** Writes each line on a thread of its own: to the file if there is one, and to the logger {@code holdfast.audit}. */
public final class AuditWriter implements AuditLog, AutoCloseable {
    public static final String CATEGORY = "holdfast.audit";

    private static final Logger LINES = Logger.getLogger(CATEGORY);
    private static final Logger LOG = Logger.getLogger(AuditWriter.class);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

    private final Optional<AuditFile> file;
    private final int queueMax;
    private final AtomicInteger queued = new AtomicInteger();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("audit").factory());
    /** Used by the writer alone. */
    private boolean failing;

    public AuditWriter(AuditConfig config) {
        this.file = config.file().map(AuditFile::new);
        this.queueMax = config.queueMax();
    }

    @Override
    public Uni<Void> write(AuditRecord written) {
        if (queued.incrementAndGet() > queueMax) {
            queued.decrementAndGet();
            return Uni.createFrom()
                    .failure(new AuditUnavailableException("%d lines wait for the disk".formatted(queueMax)));
        }
        var line = AuditLine.of(written);
        var done = new CompletableFuture<Void>();
        try {
            writer.execute(() -> writeNow(line, done));
        } catch (RejectedExecutionException closed) {
            queued.decrementAndGet();
            return Uni.createFrom().failure(new AuditUnavailableException("the service is stopping"));
        }
        return Uni.createFrom().completionStage(done);
    }

    private void writeNow(String line, CompletableFuture<Void> done) {
        // Also if the file fails: then the line is at least here.
        LINES.info(line);
        try {
            if (file.isPresent()) {
                file.get().append(line);
            }
            succeeded();
            done.complete(null);
        } catch (IOException | RuntimeException e) {
            var why = reason(e);
            failed(why);
            done.completeExceptionally(new AuditUnavailableException(why));
        } finally {
            queued.decrementAndGet();
        }
    }

    private static String reason(Exception e) {
        var why = e instanceof FileSystemException named && named.getReason() != null
                ? named.getReason()
                : e.getMessage();
        return "holdfast.audit.file: " + (why == null ? e.getClass().getSimpleName() : why);
    }

    private void failed(String why) {
        if (!failing) {
            failing = true;
            LOG.errorf("Audit line not written to the file error=\"%s\"", why);
        }
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            LOG.info("Audit lines are written to the file again");
        }
    }

    /** Writes the lines that are queued, for a few seconds at most. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_MAX.toSeconds(), TimeUnit.SECONDS)) {
                LOG.error("Audit lines lost, the disk does not answer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
