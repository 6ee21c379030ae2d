package org.ulfmj.launch;

import java.io.IOException;
import java.io.OutputStream;

/**
 * One of our own output streams, shared by all forwarders: what one call hands over is written in one piece, and a line
 * that its writer left open (a question, or the last words of a process that was killed) is ended before another writer
 * has its turn, so lines of different processes never mix. Any thread.
 */
final class LineSink {
    private final OutputStream out;
    private final Runnable onLost;
    private boolean lost;
    /** Whose line is not ended; null if the stream is at the beginning of a line. */
    private Object unfinished;

    /** @param onLost called once if nobody reads the stream any more; must not block */
    LineSink(OutputStream out, Runnable onLost) {
        this.out = out;
        this.onLost = onLost;
    }

    /**
     * Writes, or throws away what nobody can read any more: the processes must not be held up by that.
     *
     * @param writer whose output it is; the same object for all of it
     */
    synchronized void write(Object writer, byte[] bytes, int lengthBytes) {
        if (lost || lengthBytes == 0) {
            return;
        }
        try {
            if (unfinished != null && unfinished != writer) {
                out.write('\n');
            }
            out.write(bytes, 0, lengthBytes);
            unfinished = bytes[lengthBytes - 1] == '\n' ? null : writer;
        } catch (IOException e) {
            lost = true;
            onLost.run();
        }
    }
}
