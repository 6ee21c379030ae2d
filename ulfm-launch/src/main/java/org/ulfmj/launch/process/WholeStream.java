package org.ulfmj.launch.process;

import java.io.InputStream;

/**
 * Reads the stdout or stderr of a process of this host to its end, also when its children write to it after the process
 * has ended: a rank that handles SIGTERM behind a script which the signal has ended. The JDK closes such a stream once
 * the process has ended and the stream's monitor is free, so the reader has it until it is through.
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
