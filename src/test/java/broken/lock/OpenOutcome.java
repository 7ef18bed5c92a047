package broken.lock;

public interface OpenOutcome {}
