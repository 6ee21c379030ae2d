package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.util.List;

/** A process that computes without a purpose while it is wanted, and is stopped otherwise. */
public final class Hog implements AutoCloseable {
    private final Process process;

    public Hog() throws IOException, InterruptedException {
        process = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        signal("STOP");
    }

    /** Continues the process: from now on it wants a core. */
    public void run() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Stops the process. */
    public void rest() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Processor time of the process, in ticks of the kernel. */
    public long ticks() {
        return CpuTimes.ofProcess(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void signal(String name) throws IOException, InterruptedException {
        Commands.run(List.of("kill", "-" + name, Long.toString(process.pid())));
    }
}
