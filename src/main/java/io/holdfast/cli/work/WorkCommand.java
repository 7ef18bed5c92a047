package io.holdfast.cli.work;

import io.holdfast.cli.base.ApiCommand;
import io.holdfast.cli.base.Owners;
import io.holdfast.cli.job.JobTypes;
import io.holdfast.cli.process.ChildProcess;
import io.holdfast.cli.process.Foreground;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "work",
        customSynopsis = "holdfast work --type TYPE,... [OPTIONS] -- HANDLER...",
        description = {
            "Claim jobs and run the handler for each, until SIGTERM or Ctrl-C.",
            "The handler gets the job on stdin and in HOLDFAST_JOB_ID, HOLDFAST_JOB_TYPE,",
            "HOLDFAST_CLUSTER, HOLDFAST_EPOCH, HOLDFAST_ATTEMPT and HOLDFAST_WORKER.",
            "Its exit code tells how the job ended: 0 done, 75 try again, else failed.",
        },
        footer = {
            "  holdfast clusters create app --id app --platform aws --base-domain a.example",
            "  holdfast jobs submit app CREATE",
            "  holdfast work --type CREATE --once -- sh -c 'echo \"$HOLDFAST_CLUSTER is up\"'",
        })
public final class WorkCommand extends ApiCommand {
    private static final Set<String> STOP_SIGNALS = Set.of("HUP", "INT", "QUIT", "TERM");
    private static final Duration HEARTBEAT_MIN = Duration.ofMillis(100);
    private static final int PARALLEL_MAX = 256;
    private static final int RANDOM_LENGTH = 8;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            required = true,
            split = ",",
            completionCandidates = JobTypes.class,
            description = "Types of jobs to claim, with commas")
    private List<String> types;

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "Only clusters with this label; repeatable")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--worker", paramLabel = "NAME", description = "A unique name. Default: host, process, random")
    private String worker;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "1", description = "Jobs at a time. Default: 1")
    private int parallel;

    @Option(names = "--heartbeat-every", paramLabel = "TIME", description = "Default: as the service asks for")
    private Duration heartbeatEvery;

    @Option(
            names = "--stop-grace",
            paramLabel = "TIME",
            defaultValue = "20s",
            description = "From SIGTERM to SIGKILL. Default: 20s")
    private Duration stopGrace;

    @Option(names = "--once", description = "End after one job per slot; exit code 1 if one failed")
    private boolean once;

    @Parameters(paramLabel = "HANDLER", arity = "1..*", description = "The command to run, after --")
    private List<String> handler;

    @Override
    public Integer call() throws InterruptedException {
        if (parallel < 1 || parallel > PARALLEL_MAX) {
            throw usageError("--parallel must be from 1 to " + PARALLEL_MAX);
        }
        if (heartbeatEvery != null && heartbeatEvery.compareTo(HEARTBEAT_MIN) < 0) {
            throw usageError("--heartbeat-every must be at least " + HEARTBEAT_MIN.toMillis() + "ms");
        }
        ChildProcess.requireExecutable(handler.getFirst(), environment().setting("PATH", System.getenv("PATH")));
        var terms = new WorkTerms(types, labels, handler, Optional.ofNullable(heartbeatEvery), stopGrace, once);
        var stop = new WorkerStop();
        environment().signals().listen((signal, number) -> signalled(stop, signal, number));
        try (var notes = new QueuedNotes(holdfast()::note)) {
            return new Worker(api(), terms, stop, notes)
                    .run(name(), parallel, environment().streams());
        }
    }

    private static void signalled(WorkerStop stop, String signal, int number) {
        if (STOP_SIGNALS.contains(signal)) {
            stop.signalled(number, Foreground.receives(signal));
        }
    }

    /** Unique, because the service tells a worker again of the job that it runs under this name. */
    private String name() {
        if (worker != null) {
            return worker;
        }
        var random = UUID.randomUUID().toString().substring(0, RANDOM_LENGTH);
        return "%s-%d-%s"
                .formatted(
                        Owners.printable(Owners.host(environment())),
                        ProcessHandle.current().pid(),
                        random);
    }
}
