package io.holdfast.cli.work;

import io.holdfast.cli.CommandInProcess;
import java.util.ArrayList;
import java.util.List;

/** {@code holdfast work} on a thread of its own. Its handlers are processes. */
final class WorkInProcess {
    private WorkInProcess() {}

    /** With a shell script as its handler. */
    static CommandInProcess script(FakeJobService service, String options, String script) {
        return start(service, options, List.of("sh", "-c", script));
    }

    static CommandInProcess start(FakeJobService service, String options, List<String> handler) {
        var words = new ArrayList<>(List.of("work", "--type", "CREATE,DESTROY", "--worker", "w"));
        if (!options.isEmpty()) {
            words.addAll(List.of(options.split(" ")));
        }
        words.add("--");
        words.addAll(handler);
        return new CommandInProcess(service.url(), words);
    }
}
