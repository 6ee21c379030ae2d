package org.ulfmj.launch.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Forwards the output of one process on one of its streams, whole lines at a time. An unfinished line is forwarded at
 * the end of the stream, and before it in three cases: after {@value #PATIENCE_MS} ms without output, as of a question
 * to the user; after {@value #LONGEST_MS} ms, as of a progress bar that overwrites its line; and when it grows longer
 * than {@value #LONGEST_LINE_BYTES} bytes. Where no person watches the output, both times are {@value #UNWATCHED} times
 * as long while the process lives: a first {@code printf} writes its line in pieces, and on a busy machine the classes
 * that it loads between the pieces take longer than a person should wait for a question. Runs on a thread that ends
 * with the stream.
 */
public final class OutputForwarder implements Runnable {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int LONGEST_LINE_BYTES = 4 << 20;
    private static final int MOST_KEPT_BYTES = 256 << 10;
    private static final int PATIENCE_MS = 200;
    private static final int LONGEST_MS = 1_000;
    private static final int UNWATCHED = 10;
    private static final int LOOK_MS = 10;
    private static final byte[] NO_TAG = {};

    private final InputStream in;
    private final LineSink sink;
    private final Supplier<byte[]> tag;
    private final Process writer;

    private final byte[] chunk = new byte[CHUNK_BYTES];
    /** Holds the bytes that were read and not yet forwarded; between two reads they contain no end of a line. */
    private byte[] pending = new byte[CHUNK_BYTES];

    private int pendingBytes;
    /** When bytes became pending, or when bytes before them were forwarded, if later; meaningless while none are. */
    private long pendingSinceNs;
    /** How many bytes of {@link #pending} are known to contain no end of a line. */
    private int searchedBytes;

    private byte[] tagged = new byte[CHUNK_BYTES];
    private int taggedBytes;
    private boolean isLineStart = true;

    /** When the present read of the stream began; has no meaning while {@link #isReading} is false. */
    private volatile long readingSinceNs;

    private volatile boolean isReading;

    /**
     * @param tag gives the words that are put in front of a line; asked anew for each piece of output; the words may be
     *     empty; null if no words are put there
     * @param writer the process whose stream it is
     */
    public OutputForwarder(InputStream in, LineSink sink, Supplier<byte[]> tag, Process writer) {
        this.in = in;
        this.sink = sink;
        this.tag = tag;
        this.writer = writer;
    }

    @Override
    public void run() {
        try {
            for (int read = read(); read >= 0; read = read()) {
                take(read);
                if (pendingBytes > 0 && (isSilent() || isPendingForLong())) {
                    forward(pendingBytes);
                }
            }
        } catch (IOException e) {
            // The process has ended and its stream was closed: that counts as the end of the stream.
        }
        forward(pendingBytes);
    }

    private int read() throws IOException {
        readingSinceNs = System.nanoTime();
        isReading = true;
        try {
            return in.read(chunk);
        } finally {
            isReading = false;
        }
    }

    /**
     * Whether the forwarder has waited for output of the process since that time, with nothing to forward. False while
     * bytes that were read wait for the sink, however long. Any thread.
     */
    public boolean hasBeenIdleSince(long thenNs) {
        return isReading && readingSinceNs - thenNs <= 0;
    }

    private boolean isSilent() throws IOException {
        try {
            for (int waitedMs = 0; waitedMs < PATIENCE_MS * slowness() && in.available() == 0; waitedMs += LOOK_MS) {
                Thread.sleep(LOOK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return in.available() == 0;
    }

    private boolean isPendingForLong() {
        return System.nanoTime() - pendingSinceNs >= LONGEST_MS * slowness() * 1_000_000L;
    }

    private int slowness() {
        return sink.isWatched() || !writer.isAlive() ? 1 : UNWATCHED;
    }

    private void take(int read) {
        if (pendingBytes == 0) {
            pendingSinceNs = System.nanoTime();
        }
        if (pendingBytes + read > pending.length) {
            pending = Arrays.copyOf(pending, Math.max(pending.length * 2, pendingBytes + read));
        }
        System.arraycopy(chunk, 0, pending, pendingBytes, read);
        pendingBytes += read;
        int end = pendingBytes;
        while (end > searchedBytes && pending[end - 1] != '\n') {
            end--;
        }
        boolean hasLineEnd = end > searchedBytes;
        searchedBytes = pendingBytes;
        if (hasLineEnd) {
            forward(end);
        }
        if (pendingBytes > LONGEST_LINE_BYTES) {
            forward(pendingBytes);
        }
    }

    private void forward(int lengthBytes) {
        if (lengthBytes == 0) {
            return;
        }
        byte[] prefix = tag == null ? NO_TAG : tag.get();
        if (prefix.length == 0) {
            sink.write(this, pending, lengthBytes);
        } else {
            // If these bytes continue an open line and another writer has ended that line, they begin a line after all
            // and need a tag.
            boolean goesOn = !isLineStart;
            tag(prefix, lengthBytes);
            sink.write(this, goesOn ? prefix : NO_TAG, tagged, taggedBytes);
        }
        byte[] from = pending;
        pendingBytes -= lengthBytes;
        if (pending.length > MOST_KEPT_BYTES && pendingBytes <= CHUNK_BYTES) {
            // A very long line is seldom followed by another one, so the large buffers are released.
            pending = new byte[CHUNK_BYTES];
            tagged = new byte[CHUNK_BYTES];
        }
        System.arraycopy(from, lengthBytes, pending, 0, pendingBytes);
        // The time counts from after the write, as the sink may have taken long.
        pendingSinceNs = System.nanoTime();
        searchedBytes = pendingBytes;
    }

    private void tag(byte[] prefix, int lengthBytes) {
        taggedBytes = 0;
        int from = 0;
        while (from < lengthBytes) {
            int to = from;
            while (to < lengthBytes && pending[to] != '\n') {
                to++;
            }
            to = Math.min(to + 1, lengthBytes);
            if (isLineStart) {
                append(prefix, 0, prefix.length);
            }
            append(pending, from, to - from);
            isLineStart = pending[to - 1] == '\n';
            from = to;
        }
    }

    private void append(byte[] bytes, int offset, int count) {
        if (taggedBytes + count > tagged.length) {
            tagged = Arrays.copyOf(tagged, Math.max(tagged.length * 2, taggedBytes + count));
        }
        System.arraycopy(bytes, offset, tagged, taggedBytes, count);
        taggedBytes += count;
    }
}
