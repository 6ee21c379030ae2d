package org.ulfmj.launch.process;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices SIGQUIT to the launcher. The virtual machine keeps the signal for itself, so no Java code can handle it. But
 * if a file with a certain name exists, HotSpot takes the signal for the request of a debugging tool, and opens a
 * socket with a known name instead of printing the stacks of its threads. This class creates the file, and takes the
 * socket, when it finds it, for the signal. It then removes the socket, so that the next signal opens it again.
 * Debugging tools can still attach, as the socket stays for a moment. On another virtual machine the signal has its
 * usual effect.
 */
public final class QuitSignal implements Runnable, AutoCloseable {
    private static final File DIRECTORY = new File("/tmp");
    private static final long PERIOD_NS = 50_000_000;
    /** How long the socket stays before it is removed, so that a debugging tool can attach. */
    private static final long OPEN_NS = 150_000_000;

    private final Runnable onQuit;
    private final File trigger;
    private final File socket;
    private volatile boolean isClosed;

    private QuitSignal(long pid, Runnable onQuit) {
        this.onQuit = onQuit;
        this.trigger = new File(DIRECTORY, ".attach_pid" + pid);
        this.socket = new File(DIRECTORY, ".java_pid" + pid);
    }

    /** @param onQuit called on a thread of this class, within some 50 ms of a first signal */
    public static QuitSignal watch(Runnable onQuit) {
        QuitSignal watch = new QuitSignal(ProcessHandle.current().pid(), onQuit);
        try {
            // A file that an earlier process with this pid has left serves as well. A file of another user does not
            // serve, and then no signal is noticed.
            watch.trigger.createNewFile();
            Thread thread = new Thread(watch, "sigquit");
            thread.setDaemon(true);
            thread.start();
        } catch (IOException noSuchDirectory) {
            watch.isClosed = true;
        }
        return watch;
    }

    @Override
    public void run() {
        while (!isClosed) {
            LockSupport.parkNanos(PERIOD_NS);
            if (!isClosed && socket.exists()) {
                onQuit.run();
                LockSupport.parkNanos(OPEN_NS);
                socket.delete();
            }
        }
    }

    @Override
    public void close() {
        isClosed = true;
        trigger.delete();
        socket.delete();
    }
}
