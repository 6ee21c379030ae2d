package org.ulfmj.runtime.process;

import java.util.concurrent.atomic.AtomicBoolean;
import org.ulfmj.runtime.RankRuntime;

/**
 * The handler of SIGUSR1 sent to this process itself, as by Slurm's {@code --signal=USR1@60}. The signal would end the
 * virtual machine, so the rank handles it as if {@code mpiexec} had passed it on. SIGUSR2 is left to the virtual
 * machine, which stops threads by it when a flight is recorded.
 */
final class RawSignal implements Runnable {
    private static final String NAME = "USR1";
    private static final AtomicBoolean WATCHED = new AtomicBoolean();

    private final RankRuntime runtime;

    private RawSignal(RankRuntime runtime) {
        this.runtime = runtime;
    }

    /** Handles the signal from now on, unless the program does. Costs some milliseconds the first time. */
    static void watch(RankRuntime runtime) {
        if (!WATCHED.getAndSet(true)) {
            Signals.handleIfFree(NAME, new RawSignal(runtime));
        }
    }

    @Override
    public void run() {
        runtime.signals().deliver(NAME);
    }
}
