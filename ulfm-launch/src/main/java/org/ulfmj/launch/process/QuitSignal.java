package org.ulfmj.launch.process;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * SIGQUIT to the launcher, which the virtual machine keeps for itself: no Java code can handle it. But where a file
 * with a certain name lies, HotSpot takes the signal not for the wish to see its threads' stacks but for the knock of a
 * debugging tool, and opens a socket with a well-known name for it. So the file is put there, and who finds the socket
 * knows that the signal came; the socket is removed, and the next signal makes it anew. Tools still get in, as each of
 * their knocks is answered for a moment. On another virtual machine the signal does what it always does.
 */
public final class QuitSignal implements Runnable, AutoCloseable {
    private static final File DIRECTORY = new File("/tmp");
    private static final long PERIOD_NS = 50_000_000;
    /** How long a tool has to come in. */
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

    /** @param onQuit called on its own thread, some 50 ms after the signal */
    public static QuitSignal watch(Runnable onQuit) {
        QuitSignal watch = new QuitSignal(ProcessHandle.current().pid(), onQuit);
        try {
            // One of an earlier process with this pid does as well; one of another user does not, and then nothing
            // comes.
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
