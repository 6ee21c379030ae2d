package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What must stand before anything of a job is there: its guardian, and the handling of signals. Both take the launcher
 * milliseconds, so they are made on a thread of their own while its main thread gets on with what needs neither.
 */
final class Precautions extends Thread {
    private static final List<String> SIGNALS = List.of("HUP", "INT", "TERM");

    private final JobEvents events;
    private final String runId;
    private final Path directory;
    private final Path sharedFiles;
    private final boolean orphansContinue;
    private Guardian started;
    private IOException failed;

    private Precautions(JobEvents events, String runId, Path directory, Path sharedFiles, boolean orphansContinue) {
        super("precautions");
        this.events = events;
        this.runId = runId;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.orphansContinue = orphansContinue;
    }

    /**
     * Returns at once.
     *
     * @param events take {@link JobEvent.Signalled}
     * @param runId as the others for {@link Guardian#start}
     */
    static Precautions begin(
            JobEvents events, String runId, Path directory, Path sharedFiles, boolean orphansContinue) {
        Precautions precautions = new Precautions(events, runId, directory, sharedFiles, orphansContinue);
        precautions.setDaemon(true);
        precautions.start();
        return precautions;
    }

    @Override
    public void run() {
        try {
            started = Guardian.start(runId, directory, sharedFiles, orphansContinue);
        } catch (IOException e) {
            failed = e;
        }
        for (String signal : SIGNALS) {
            Signals.handle(signal, events.putting(new JobEvent.Signalled(signal)));
        }
    }

    /**
     * Waits for them and returns the guardian.
     *
     * @throws IOException if it cannot be started
     */
    Guardian await() throws IOException {
        try {
            join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the launcher's main thread", e);
        }
        if (failed != null) {
            throw new IOException("no guardian: " + failed.getMessage(), failed);
        }
        return started;
    }
}
