package org.ulfmj.launch.process;

import java.io.InputStream;

/**
 * Reads the stdout or stderr of a process of this host to its end, also when its children write to it after the process
 * has ended: a script that SIGTERM has ended may have started a rank that still handles the signal. The JDK closes such
 * a stream once the process has ended and the stream's monitor is free, so the reader holds the monitor until it has
 * read everything.
 *
 * @param stream of a {@link Process}
 * @param reader reads the stream to its end
 */
public record WholeStream(InputStream stream, Runnable reader) implements Runnable {
    @Override
    public void run() {
        synchronized (stream) {
            reader.run();
        }
    }
}
