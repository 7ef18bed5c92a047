package io.holdfast.actuator;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Everything that is logged below a category while it is open; by default what the actuators log. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    LogLines() {
        this("io.holdfast.actuator");
    }

    public LogLines(String category) {
        logger = Logger.getLogger(category);
        before = logger.getLevel();
        setLevel(Level.ALL);
        logger.setLevel(Level.ALL);
        logger.addHandler(this);
    }

    /** Each with its parameters behind it, whether or not the message has taken them up. */
    List<String> lines() {
        return records.stream()
                .map(line -> line.getMessage() + Arrays.toString(line.getParameters()))
                .toList();
    }

    public List<LogRecord> records() {
        return List.copyOf(records);
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
