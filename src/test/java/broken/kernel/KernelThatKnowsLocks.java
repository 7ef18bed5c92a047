package broken.kernel;

import broken.lock.LockThatKnowsEverything;

public record KernelThatKnowsLocks(LockThatKnowsEverything lock) {}
