package org.ulfmj.launch.discovery;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ulfmj.launch.hosts.HostSlots;

/**
 * Asks a command again and again which hosts and slots there are: at once, and then each time the interval has passed
 * since the run before has ended. A thread of this class runs the command; {@link #start} and {@link #close} are for
 * the launcher's main thread.
 */
public final class HostDiscovery implements Runnable, AutoCloseable {
    /** How long to wait for the thread to end; longer than it takes to kill the command. */
    private static final long CLOSE_MS = 6_000;

    /** Is told what the command has printed, on the thread of the discovery. */
    public interface Listener {
        /** The hosts as the command has printed them, one at least; a name may occur several times. */
        void found(List<HostSlots> hosts);

        void failed(DiscoveryFailure failure);
    }

    private final DiscoveryCommand command;
    private final long intervalNs;
    private final Listener listener;
    private final Thread thread = new Thread(this, "host-discovery");

    /**
     * @param line the command, for the shell
     * @param intervalNs from the end of a run to the begin of the next one
     * @param limitNs how long a run may take before it is killed
     * @param environment variables of the command besides the launcher's own
     * @param directory for the files with the output of the command
     * @param listener is told the result of each run
     */
    public HostDiscovery(
            String line,
            long intervalNs,
            long limitNs,
            Map<String, String> environment,
            Path directory,
            Listener listener) {
        this.command = new DiscoveryCommand(line, limitNs, environment, directory);
        this.intervalNs = intervalNs;
        this.listener = listener;
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (true) {
                DiscoveryCommand.Result result = command.run();
                if (result.failure() != null) {
                    listener.failed(result.failure());
                } else {
                    listener.found(result.hosts());
                }
                TimeUnit.NANOSECONDS.sleep(intervalNs);
            }
        } catch (InterruptedException closed) {
            // The command has been ended.
        }
    }

    /** Ends the command, if it runs, and lets no other run begin. Waits at most six seconds for the thread to end. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the launcher's main thread is never interrupted", e);
        }
    }
}
