package org.ulfmj.launch.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * One of the launcher's output streams, or a file for output; several writers may share it. The bytes of one call are
 * written in one piece. A line that its writer has not ended (a question, or the last words of a process that was
 * killed) is ended before another writer writes, so lines of different writers do not mix. Any thread.
 *
 * <p>A write takes until the stream has room. While a launcher runs a job, its main thread therefore does not write by
 * this class; it uses {@link ReportQueue}.
 */
public final class LineSink {
    /**
     * The state that is shared by streams with the same destination, as stdout and stderr after {@code 2>&1}. It is
     * also their lock: one of these streams writes at a time.
     */
    public static final class Turn {
        /** The writer whose last line is not ended; null at the beginning of a line. */
        private Object unfinished;
    }

    private static final byte[] NOTHING = {};

    private final OutputStream out;
    private final Turn turn;
    private final boolean isWatched;
    private final Consumer<IOException> onLost;
    /** Another sink, to which this sink also gives all that it is given; null if there is none. */
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

    /** Makes all that this sink is given go to another sink too. To be called before the first write. */
    public LineSink copiedTo(LineSink other) {
        copy = other;
        return this;
    }

    /** Whether this sink, or the one that gets a copy, is a terminal, so that a person reads it at once. */
    public boolean isWatched() {
        return isWatched || copy != null && copy.isWatched();
    }

    /** As {@link #write(Object, byte[], byte[], int)}, without a tag. */
    public void write(Object writer, byte[] bytes, int lengthBytes) {
        write(writer, NOTHING, bytes, lengthBytes);
    }

    /**
     * Writes bytes to the stream. Once the stream accepts no more output, the bytes are thrown away, because the
     * processes must not be held up.
     *
     * @param writer the same object for all output of one stream of a process
     * @param tag is written before the bytes unless they continue this writer's own last line: also where another
     *     writer has ended that line
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
