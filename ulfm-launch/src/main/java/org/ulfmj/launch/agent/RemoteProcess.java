package org.ulfmj.launch.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ulfmj.launch.process.Remote;
import org.ulfmj.transport.host.ProcessStat;

/**
 * The launcher's object for a process on another host: requests go to its agent, and what the agent reports is kept
 * here. Any thread.
 */
final class RemoteProcess extends Process implements Remote {
    /** Sends messages to the agent of the process. */
    interface Line {
        void send(AgentMessage message);
    }

    private final int number;
    private final Line line;
    private final CreditedInput out;
    private final CreditedInput err;
    private final Credit inputCredit = new Credit();
    private final OutputStream in = new Input();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long pid;
    private volatile char state = 'R';
    private volatile int exitCode;
    private volatile boolean isDead;
    /** Whether it counts as ended without proof. */
    private volatile boolean isPresumed;

    /**
     * Makes the object for a process that has not been started yet.
     *
     * @param number the number by which the agent knows the process
     */
    RemoteProcess(int number, Line line) {
        this.number = number;
        this.line = line;
        this.out = new CreditedInput(bytes -> line.send(new AgentOrder.OutputRead(number, true, bytes)));
        this.err = new CreditedInput(bytes -> line.send(new AgentOrder.OutputRead(number, false, bytes)));
    }

    int number() {
        return number;
    }

    // ---- told by the agent

    void started(long itsPid) {
        pid = itsPid;
    }

    void looked(char letter) {
        state = letter;
    }

    /** Returns whether the death is news. */
    boolean died() {
        boolean isNews = !isDead;
        isDead = true;
        return isNews;
    }

    /** Notes that the process has ended; its streams may still bring bytes. Returns whether that is news. */
    synchronized boolean ended(int code) {
        if (ended.getCount() == 0) {
            return false;
        }
        exitCode = code;
        ended.countDown();
        inputCredit.end();
        return true;
    }

    /** Notes that the process counts as ended, although its agent has not reported that. */
    void presumeEnded() {
        isPresumed = true;
    }

    boolean isPresumed() {
        return isPresumed;
    }

    /**
     * Notes that the agent reports the process's end. Returns whether the process had counted as ended without proof.
     */
    boolean prove() {
        boolean wasPresumed = isPresumed;
        isPresumed = false;
        return wasPresumed;
    }

    /** Nothing more will come of the process. */
    void endStreams() {
        out.end();
        err.end();
        inputCredit.end();
    }

    /** Whether no more output of the process is to come; if stderr is merged, it comes with stdout. */
    boolean hasAllOutput(boolean isMerged) {
        return out.isAtEnd() && (isMerged || err.isAtEnd());
    }

    void output(boolean isOut, byte[] bytes) {
        CreditedInput stream = isOut ? out : err;
        if (bytes.length == 0) {
            stream.end();
        } else {
            stream.add(bytes);
        }
    }

    void inputRead(int bytes) {
        inputCredit.add(bytes);
    }

    void inputClosed() {
        inputCredit.end();
    }

    // ---- Process

    @Override
    public void signal(String name, boolean toGroup) {
        // A signal to the process group is sent even after the process has ended, since the children of a script may
        // outlive it.
        if (isAlive() || toGroup) {
            line.send(new AgentOrder.Signal(number, name, toGroup));
        }
    }

    @Override
    public void condemned() {
        line.send(new AgentOrder.Condemn(number));
    }

    @Override
    public char state() {
        return isAlive() ? state : ProcessStat.GONE;
    }

    @Override
    public OutputStream getOutputStream() {
        return in;
    }

    @Override
    public InputStream getInputStream() {
        return out;
    }

    @Override
    public InputStream getErrorStream() {
        return err;
    }

    @Override
    public int waitFor() throws InterruptedException {
        ended.await();
        return exitCode;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }

    @Override
    public int exitValue() {
        if (isAlive()) {
            throw new IllegalThreadStateException("process " + pid + " runs");
        }
        return exitCode;
    }

    @Override
    public boolean isAlive() {
        return ended.getCount() > 0;
    }

    @Override
    public void destroy() {
        signal("TERM", false);
    }

    @Override
    public Process destroyForcibly() {
        signal("KILL", false);
        return this;
    }

    /** Returns the process's pid on its host; 0 until the agent has reported that it runs. */
    @Override
    public long pid() {
        return pid;
    }

    /** Returns none, since the processes of another host cannot be listed. */
    @Override
    public Stream<ProcessHandle> descendants() {
        return Stream.empty();
    }

    /** The stdin of the process. */
    private final class Input extends OutputStream {
        private boolean isClosed;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int at = offset;
            while (at < offset + length) {
                int piece = inputCredit.take(Math.min(AgentMessage.MAX_PIECE_BYTES, offset + length - at));
                if (piece == 0) {
                    throw new IOException("process " + pid + " reads no more");
                }
                line.send(new AgentOrder.Input(number, Arrays.copyOfRange(bytes, at, at + piece)));
                at += piece;
            }
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                line.send(new AgentOrder.Input(number, new byte[0]));
            }
        }
    }
}
