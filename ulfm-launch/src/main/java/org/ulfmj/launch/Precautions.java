package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.process.Guardian;
import org.ulfmj.runtime.process.Signals;

/**
 * Starts the guardian of the job and sets up the handling of signals, both of which must be in place before any process
 * of the job starts. Each takes the launcher milliseconds, so this thread does it while the main thread does work that
 * needs neither.
 */
final class Precautions extends Thread {
    private static final List<String> ENDING = List.of("HUP", "INT", "TERM");
    /**
     * Signals that batch systems send. Without a handler, a Java virtual machine is ended by USR1 and crashes at USR2.
     */
    private static final List<String> NOTICES = List.of("USR1", "USR2");

    private static final List<String> STOPS = List.of(Suspension.STOP, Suspension.CONTINUE);

    private final JobEvents events;
    private final Suspension suspension;
    private final Guardian.Mark mark;
    private final Path directory;
    private final Path sharedFiles;
    private final boolean orphansContinue;
    private final List<String> passedOn;
    private Guardian started;
    private IOException failed;

    /**
     * Starts nothing yet: the guardian and the handlers are made once {@link #start} is called.
     *
     * @param events take {@link JobEvent.Signalled}, {@link JobEvent.Noticed} and the events of stops
     * @param suspension makes the events of stops
     * @param passedOn more signals that become {@link JobEvent.Noticed}, some of them perhaps among the usual ones
     * @param mark and the parameters after it, as for {@link Guardian#start}
     */
    Precautions(
            JobEvents events,
            Suspension suspension,
            Guardian.Mark mark,
            Path directory,
            Path sharedFiles,
            boolean orphansContinue,
            List<String> passedOn) {
        super("precautions");
        setDaemon(true);
        this.events = events;
        this.suspension = suspension;
        this.mark = mark;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.orphansContinue = orphansContinue;
        this.passedOn = passedOn;
    }

    @Override
    public void run() {
        try {
            started = Guardian.start(mark, directory, sharedFiles, orphansContinue);
        } catch (IOException e) {
            failed = e;
        }
        for (String signal : ENDING) {
            Signals.handle(signal, events.putting(new JobEvent.Signalled(signal)));
        }
        for (String signal : NOTICES) {
            Signals.handle(signal, events.putting(new JobEvent.Noticed(signal)));
        }
        for (String signal : passedOn) {
            if (!NOTICES.contains(signal)) {
                Signals.handle(signal, events.putting(new JobEvent.Noticed(signal)));
            }
        }
        for (String signal : STOPS) {
            Signals.handle(signal, new Stopping(signal));
        }
    }

    private final class Stopping implements Runnable {
        private final String signal;

        Stopping(String signal) {
            this.signal = signal;
        }

        @Override
        public void run() {
            events.accept(suspension.onSignal(signal));
        }
    }

    /**
     * Waits until the guardian and the signal handlers are made, and returns the guardian.
     *
     * @throws IOException if the guardian cannot be started
     */
    Guardian await() throws IOException {
        try {
            join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the launcher's main thread is never interrupted", e);
        }
        if (failed != null) {
            throw new IOException("no guardian: " + failed.getMessage(), failed);
        }
        return started;
    }
}
