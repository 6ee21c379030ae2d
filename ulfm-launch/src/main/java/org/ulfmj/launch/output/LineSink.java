package org.ulfmj.launch.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * One of our own output streams, shared by all forwarders: what one call hands over is written in one piece, and a line
 * that its writer left open (a question, or the last words of a process that was killed) is ended before another writer
 * has its turn, so lines of different processes never mix. Any thread.
 *
 * <p>A write takes until the stream has room, so the thread that looks after the job never calls this: it speaks
 * through {@link ReportQueue}.
 */
public final class LineSink {
    /** What streams that go to one place share, as stdout and stderr after {@code 2>&1}: one writes at a time. */
    public static final class Turn {
        /** The writer whose line is not ended; null at the beginning of a line. */
        private Object unfinished;
    }

    private static final byte[] NOTHING = {};

    private final OutputStream out;
    private final Turn turn;
    private final Consumer<IOException> onLost;
    private boolean lost;

    /** @param onLost called once when the stream takes nothing any more; must not block */
    public LineSink(OutputStream out, Turn turn, Consumer<IOException> onLost) {
        this.out = out;
        this.turn = turn;
        this.onLost = onLost;
    }

    /** As the other one, for a writer whose lines have no tag. */
    public void write(Object writer, byte[] bytes, int lengthBytes) {
        write(writer, NOTHING, bytes, lengthBytes);
    }

    /**
     * Writes, or throws away what cannot be written any more: the processes must not be held up by that.
     *
     * @param writer whose output it is; the same object for all of it
     * @param tag what precedes the bytes if they go on with a line of this writer that another writer has ended
     */
    public void write(Object writer, byte[] tag, byte[] bytes, int lengthBytes) {
        synchronized (turn) {
            if (lost || lengthBytes == 0) {
                return;
            }
            try {
                if (turn.unfinished != writer) {
                    if (turn.unfinished != null) {
                        out.write('\n');
                    }
                    if (tag.length > 0) {
                        out.write(tag, 0, tag.length);
                    }
                }
                out.write(bytes, 0, lengthBytes);
                turn.unfinished = bytes[lengthBytes - 1] == '\n' ? null : writer;
            } catch (IOException e) {
                lost = true;
                onLost.accept(e);
            }
        }
    }
}
