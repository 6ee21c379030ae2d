package org.ulfmj.transport;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes the rare lines of all media that are meant for a person. Most callers hold the engine lock, so a separate
 * thread gets the logger and writes: the logger may be the program's, takes tens of milliseconds to make, and cannot be
 * made without file descriptors. The thread ends one second after the last line. A line that the logger does not take
 * goes to standard error.
 */
public final class TransportLog {
    private static final AtomicBoolean HAS_TOLD_OF_STRANGERS = new AtomicBoolean();
    private static final AtomicBoolean HAS_TOLD_OF_VIEWS = new AtomicBoolean();
    private static final ThreadPoolExecutor WRITER = writer();

    private TransportLog() {}

    /**
     * Warns of a caller that has not proved that it knows the job's secret. Each process warns once only, because a
     * caller may try again without end.
     */
    public static void stranger(String why) {
        if (HAS_TOLD_OF_STRANGERS.compareAndSet(false, true)) {
            write(new Line(
                    System.Logger.Level.WARNING,
                    "a process that does not know this job's secret calls and was cut off (" + why
                            + "); further calls of this kind will not be told"));
        }
    }

    /**
     * Warns that a process which this one has called demands encrypted records, where this process sees a connection
     * within a host. Each process warns once only: the same path may lead to many peers.
     *
     * @param called the process that was called, with its address
     */
    public static void otherView(String called) {
        if (HAS_TOLD_OF_VIEWS.compareAndSet(false, true)) {
            write(new Line(
                    System.Logger.Level.WARNING,
                    called + " sees a caller from another host, where this process sees a connection within its own: a"
                            + " tunnel, a proxy or a translated address may be between the two. Connections to it are"
                            + " encrypted from now on (ulfm.net.protect=auto); further ones of this kind will not be"
                            + " told"));
        }
    }

    public static void error(String message) {
        write(new Line(System.Logger.Level.ERROR, message));
    }

    private static void write(Line line) {
        try {
            WRITER.execute(line);
        } catch (OutOfMemoryError noThread) {
            System.err.println(line.text());
        }
    }

    private static ThreadPoolExecutor writer() {
        ThreadPoolExecutor writer =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Daemons());
        writer.allowCoreThreadTimeOut(true);
        return writer;
    }

    /** A class and not a lambda: the first lambda of a process costs as much time as a logger. */
    private static final class Daemons implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, "ulfm-log");
            thread.setDaemon(true);
            return thread;
        }
    }

    private record Line(System.Logger.Level level, String text) implements Runnable {
        @Override
        public void run() {
            try {
                System.getLogger("org.ulfmj.transport").log(level, text);
            } catch (RuntimeException | Error unusable) {
                System.err.println(text);
            }
        }
    }
}
