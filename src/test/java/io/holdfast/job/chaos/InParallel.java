package io.holdfast.job.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Calls at the same moment. */
final class InParallel {
    private InParallel() {}

    interface Numbered<T> {
        T call(int number) throws Exception;
    }

    /** @return the answers in the order of the numbers, from 0 */
    static <T> List<T> call(int count, Numbered<T> call) throws Exception {
        try (var threads = Executors.newFixedThreadPool(count)) {
            var calls = new ArrayList<Callable<T>>();
            for (var i = 0; i < count; i++) {
                var number = i;
                calls.add(() -> call.call(number));
            }
            var answers = new ArrayList<T>();
            for (var answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }
}
