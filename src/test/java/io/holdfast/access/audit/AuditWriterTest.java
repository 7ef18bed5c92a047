package io.holdfast.access.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files; a full disk is {@code /dev/full}. */
class AuditWriterTest {
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(1);
    private static final AuditRecord.Origin ORIGIN =
            new AuditRecord.Origin("r-1", Optional.of("token:ci"), Optional.of("192.0.2.7"));

    @TempDir
    Path folder;

    private final List<AuditWriter> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(AuditWriter::close);
    }

    @Test
    void eachRecordIsOneLineOfJson() throws IOException {
        var file = folder.resolve("audit.log");
        var audit = open(file, 10);

        write(audit, record("locks/a", Optional.of("stuck")));
        write(
                audit,
                new AuditRecord(
                        Instant.EPOCH,
                        new AuditRecord.Origin("r-2", Optional.empty(), Optional.empty()),
                        new AuditRecord.Deed("admin", Optional.empty(), OptionalLong.empty()),
                        AuditRecord.Outcome.REFUSED,
                        Optional.of("unauthenticated"),
                        Optional.empty()));

        assertThat(Files.readString(file))
                .isEqualTo(
                        """
                        {"time":"2026-01-05T12:00:00Z","request_id":"r-1","subject":"token:ci","source":"192.0.2.7",\
                        "action":"force","resource":"locks/a","outcome":"begun","token":7,"reason":"stuck"}
                        {"time":"1970-01-01T00:00:00Z","request_id":"r-2","action":"admin","outcome":"refused",\
                        "code":"unauthenticated"}
                        """);
    }

    /** A line break, a quote, an escape of a terminal, a right-to-left override, half a character, a line separator. */
    @Test
    void aHostileNameStaysWithinItsLineAndCanBeReadBack() throws IOException {
        var hostile = "a\"}\n{\"forged\":1}\r\u001b[2J\u202edb\u2066\ud800\u2028\u0085\u007f\\";
        var file = folder.resolve("audit.log");

        write(open(file, 10), record(hostile, Optional.of(hostile)));

        var text = Files.readString(file);
        assertThat(text).matches("[ -~]+\n").hasLineCount(1);
        var json = new ObjectMapper().readTree(text);
        assertThat(json.path("resource").asText()).isEqualTo(hostile);
        assertThat(json.path("reason").asText()).isEqualTo(hostile);
        assertThat(json.has("forged")).isFalse();
    }

    @Test
    void aLongValueIsCut() {
        var longest = "a".repeat(AuditLine.VALUE_LENGTH_MAX);

        assertThat(AuditLine.of(record(longest, Optional.empty()))).contains("\"" + longest + "\"");
        assertThat(AuditLine.of(record(longest + "b", Optional.empty()))).contains("\"" + longest + "...\"");
    }

    @Test
    void theLoggerGetsTheSameLineAlsoWithoutAFile() {
        var lines = new ArrayList<String>();
        var logger = Logger.getLogger(AuditWriter.CATEGORY);
        var handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                lines.add(logged.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            var written = record("locks/100%s", Optional.empty());
            write(open(null, 10), written);

            assertThat(lines).containsExactly(AuditLine.of(written));
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void aFileThatIsRenamedIsFollowedByANewOne() throws IOException {
        var file = folder.resolve("audit.log");
        var audit = open(file, 10);
        write(audit, record("locks/a", Optional.empty()));

        Files.move(file, folder.resolve("audit.log.1"));
        write(audit, record("locks/b", Optional.empty()));
        Files.delete(file);
        write(audit, record("locks/c", Optional.empty()));

        assertThat(folder.resolve("audit.log.1")).content().contains("locks/a").hasLineCount(1);
        assertThat(file).content().contains("locks/c").hasLineCount(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void anExistingFileIsContinuedAndAHalfLineInItIsEnded() throws IOException {
        var file = Files.writeString(folder.resolve("audit.log"), "{\"time\":\"2026-0");

        write(open(file, 10), record("locks/a", Optional.empty()));

        assertThat(Files.readAllLines(file)).hasSize(2).last().asString().startsWith("{\"time\":\"2026-01-05");
    }

    @Test
    void aFullDiskIsAFailureThatNamesTheSetting() {
        var audit = open(Path.of("/dev/full"), 10);

        assertThatThrownBy(() -> write(audit, record("locks/a", Optional.empty())))
                .isInstanceOf(AuditUnavailableException.class)
                .hasMessage("The audit log cannot be written: holdfast.audit.file: No space left on device.");
    }

    @Test
    void afterAFailureTheNextLineIsWrittenAgain() throws IOException {
        var later = folder.resolve("later");
        var file = later.resolve("audit.log");
        var audit = open(file, 10);
        assertThatThrownBy(() -> write(audit, record("locks/a", Optional.empty())))
                .isInstanceOf(AuditUnavailableException.class);

        Files.createDirectory(later);
        write(audit, record("locks/b", Optional.empty()));

        assertThat(file).content().contains("locks/b").hasLineCount(1);
    }

    /** The first line is being written while the next two arrive; one of them may wait. */
    @Test
    void aLineBeyondTheQueueIsRefusedAtOnce() throws Exception {
        var writing = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var logger = Logger.getLogger(AuditWriter.CATEGORY);
        var handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                writing.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            var audit = open(null, 2);
            var first = audit.write(record("locks/a", Optional.empty()));
            writing.await();
            var second = audit.write(record("locks/b", Optional.empty()));

            assertThatThrownBy(() -> write(audit, record("locks/c", Optional.empty())))
                    .hasMessage("The audit log cannot be written: 2 lines wait for the disk.");

            goOn.countDown();
            first.await().atMost(WRITTEN_WITHIN);
            second.await().atMost(WRITTEN_WITHIN);
        } finally {
            goOn.countDown();
            logger.removeHandler(handler);
        }
    }

    /** Without a subscriber, as for the outcome of an action that has been done. */
    @Test
    void allLinesAreWrittenInTheirOrderBeforeTheEnd() throws IOException {
        var file = folder.resolve("audit.log");
        var audit = open(file, 1000);
        for (var i = 0; i < 500; i++) {
            audit.write(record("locks/n" + i, Optional.empty()));
        }

        audit.close();

        var lines = Files.readAllLines(file);
        assertThat(lines).hasSize(500);
        for (var i = 0; i < 500; i++) {
            assertThat(lines.get(i)).contains("\"locks/n" + i + "\"");
        }
        assertThatThrownBy(() -> write(audit, record("locks/late", Optional.empty())))
                .hasMessage("The audit log cannot be written: the service is stopping.");
    }

    private static AuditRecord record(String resource, Optional<String> reason) {
        return new AuditRecord(
                Instant.parse("2026-01-05T12:00:00Z"),
                ORIGIN,
                new AuditRecord.Deed("force", Optional.of(resource), OptionalLong.of(7)),
                AuditRecord.Outcome.BEGUN,
                Optional.empty(),
                reason);
    }

    private static void write(AuditLog audit, AuditRecord written) {
        audit.write(written).await().atMost(WRITTEN_WITHIN);
    }

    /** @param file null for none */
    private AuditWriter open(Path file, int queueMax) {
        var audit = new AuditWriter(new AuditConfig() {
            @Override
            public Optional<Path> file() {
                return Optional.ofNullable(file);
            }

            @Override
            public int queueMax() {
                return queueMax;
            }
        });
        opened.add(audit);
        return audit;
    }
}
