package io.holdfast.cli.work;

import io.holdfast.cli.CommandInProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code holdfast work} on a thread of its own. Its handlers are processes. */
final class WorkInProcess {
    private WorkInProcess() {}

    /** With a shell script as its handler. */
    static CommandInProcess script(FakeJobService service, String options, String script) {
        return start(service, options, List.of("sh", "-c", script));
    }

    static CommandInProcess start(FakeJobService service, String options, List<String> handler) {
        return start(service, Map.of(), options, handler);
    }

    static CommandInProcess start(
            FakeJobService service, Map<String, String> variables, String options, List<String> handler) {
        var words = new ArrayList<>(List.of("work", "--type", "CREATE,DESTROY", "--worker", "w"));
        if (!options.isEmpty()) {
            words.addAll(List.of(options.split(" ")));
        }
        words.add("--");
        words.addAll(handler);
        var all = new HashMap<>(variables);
        all.put("HOLDFAST_URL", service.url());
        all.put("HOLDFAST_TIMEOUT", "30s");
        return new CommandInProcess(all, words);
    }
}
