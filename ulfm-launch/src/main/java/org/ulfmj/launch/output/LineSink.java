package org.ulfmj.launch.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * One of the launcher's output streams, shared by all forwarders. The bytes of one call are written in one piece. A
 * line that its writer left open (a question, or the last words of a process that was killed) is ended before another
 * writer has its turn, so lines of different processes never mix. Any thread.
 *
 * <p>A write takes until the stream has room. The thread that looks after the job therefore never calls this class and
 * uses {@link ReportQueue}.
 */
public final class LineSink {
    /**
     * The state that is shared by streams with the same destination, as stdout and stderr after {@code 2>&1}: one of
     * these streams writes at a time.
     */
    public static final class Turn {
        /** The writer whose line is not ended; null at the beginning of a line. */
        private Object unfinished;
    }

    private static final byte[] NOTHING = {};

    private final OutputStream out;
    private final Turn turn;
    private final boolean isWatched;
    private final Consumer<IOException> onLost;
    /** Takes all that this sink takes; null if there is none. */
    private LineSink copy;

    private boolean lost;

    /**
     * @param isWatched whether the stream is a terminal
     * @param onLost called once, when the stream accepts no more output; must not block
     */
    public LineSink(OutputStream out, Turn turn, boolean isWatched, Consumer<IOException> onLost) {
        this.out = out;
        this.turn = turn;
        this.isWatched = isWatched;
        this.onLost = onLost;
    }

    /** From now on another stream takes all that this one takes. To be called before the first write. */
    public LineSink copiedTo(LineSink other) {
        copy = other;
        return this;
    }

    /** Whether a person watches what is written, here or at the copy. */
    public boolean isWatched() {
        return isWatched || copy != null && copy.isWatched();
    }

    /** As {@link #write(Object, byte[], byte[], int)}, for a writer whose lines have no tag. */
    public void write(Object writer, byte[] bytes, int lengthBytes) {
        write(writer, NOTHING, bytes, lengthBytes);
    }

    /**
     * Writes bytes to the stream. Throws the bytes away once the stream is lost, because the processes must not be held
     * up.
     *
     * @param writer the same object for all output of one stream of a process
     * @param tag precedes the bytes if they continue a line of this writer that was ended because another writer wrote
     */
    public void write(Object writer, byte[] tag, byte[] bytes, int lengthBytes) {
        if (copy != null) {
            copy.write(writer, tag, bytes, lengthBytes);
        }
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
