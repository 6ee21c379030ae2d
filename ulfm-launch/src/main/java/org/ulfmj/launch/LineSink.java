package org.ulfmj.launch;

import java.io.IOException;
import java.io.OutputStream;

/**
 * One of our own output streams, shared by all forwarders: what one call hands over is written in one piece, so lines of
 * different processes never mix. Any thread.
 */
final class LineSink {
    private final OutputStream out;
    private final Runnable onLost;
    private boolean lost;

    /** @param onLost called once if nobody reads the stream any more; must not block */
    LineSink(OutputStream out, Runnable onLost) {
        this.out = out;
        this.onLost = onLost;
    }

    /** Writes, or throws away what nobody can read any more: the processes must not be held up by that. */
    synchronized void write(byte[] bytes, int lengthBytes) {
        if (lost || lengthBytes == 0) {
            return;
        }
        try {
            out.write(bytes, 0, lengthBytes);
        } catch (IOException e) {
            lost = true;
            onLost.run();
        }
    }
}
