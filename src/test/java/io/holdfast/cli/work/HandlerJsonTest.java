package io.holdfast.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Params on their way to the handler, and results on their way back. */
@Slow
class HandlerJsonTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final String NUMBERS = "{\"a\":0.100000000000000000010,\"b\":1E+400,\"c\":1.10}";

    @TempDir
    Path folder;

    private FakeJobService service;

    @BeforeEach
    void serve() throws IOException {
        service = new FakeJobService();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void noDigitOfANumberIsLost() throws InterruptedException, IOException {
        var stdin = folder.resolve("stdin");
        var claim = FakeClaims.json(FakeClaims.JOB, LONG, LONG).replace("{\"workers\":3}", NUMBERS);
        service.answering("claim", new FakeJobService.Reply(200, claim));

        var work = WorkInProcess.script(
                service, "--once", "cat >%s; echo 'holdfast: result %s'".formatted(stdin, NUMBERS));

        assertThat(work.awaitExit()).isZero();
        assertThat(Files.readString(stdin)).contains("\"params\":" + NUMBERS);
        assertThat(service.asked("complete").path("result")).hasToString(NUMBERS);
    }

    /** It cannot be sent, and must not end the worker. */
    @Test
    void aResultWithHalfACharacterIsIgnored() throws InterruptedException {
        service.answering("claim", FakeJobService.job(LONG, LONG));

        var work = WorkInProcess.script(service, "--once", "printf '%s\\n' 'holdfast: result {\"a\":\"\\ud800\"}'");

        assertThat(work.awaitExit()).as(work.err()).isZero();
        assertThat(service.asked("complete").has("result")).isFalse();
        assertThat(work.err()).contains("The result is ignored");
    }
}
