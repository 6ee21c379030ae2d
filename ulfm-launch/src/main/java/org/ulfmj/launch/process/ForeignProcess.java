package org.ulfmj.launch.process;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.ulfmj.transport.host.HostProcess;

/**
 * A process of an elastic job that another launcher on this host has started. It has ended when {@code /proc} shows no
 * process of its pid and start time any more, or a dead one of which no other thread is left. Only the other launcher
 * knows its exit code and has its streams. Any thread.
 */
public final class ForeignProcess extends Process {
    private static final long LOOK_NS = 5_000_000;

    private final HostProcess process;
    private volatile boolean hasEnded;

    public ForeignProcess(HostProcess process) {
        this.process = process;
    }

    @Override
    public boolean isAlive() {
        hasEnded = hasEnded || process.hasEndedWholly();
        return !hasEnded;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    /** Returns 0 once the process has ended, as only the other launcher knows and judges the exit code. */
    @Override
    public int exitValue() {
        if (isAlive()) {
            throw new IllegalThreadStateException("process " + process.pid() + " runs");
        }
        return 0;
    }

    @Override
    public int waitFor() {
        while (isAlive()) {
            LockSupport.parkNanos(LOOK_NS);
        }
        return 0;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
        long untilNs = System.nanoTime() + unit.toNanos(timeout);
        while (isAlive() && System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(LOOK_NS);
        }
        return !isAlive();
    }

    /** @throws IllegalStateException if the process has ended */
    @Override
    public ProcessHandle toHandle() {
        return ProcessHandle.of(process.pid())
                .filter(handle -> isAlive())
                .orElseThrow(() -> new IllegalStateException("process " + process.pid() + " has ended"));
    }

    @Override
    public void destroy() {
        send("TERM");
    }

    @Override
    public Process destroyForcibly() {
        send("KILL");
        return this;
    }

    private void send(String signal) {
        if (isAlive()) {
            SignalSender.sendTo(signal, List.of(process.pid()));
        }
    }

    @Override
    public Stream<ProcessHandle> descendants() {
        return Stream.empty();
    }

    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }
}
