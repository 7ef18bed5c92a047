package io.holdfast.actuator;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Everything that the actuators log while it is open. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.holdfast.actuator");
    private final Level before = logger.getLevel();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines() {
        setLevel(Level.ALL);
        logger.setLevel(Level.ALL);
        logger.addHandler(this);
    }

    /** Each with its parameters behind it, whether or not the message has taken them up. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getMessage() + Arrays.toString(line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
