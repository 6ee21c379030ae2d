package org.ulfmj.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Forwards what one process writes to one of its streams, whole lines at a time. A line that is not ended within {@value
 * #PATIENCE_MS} ms, as a question to the user is, or that grows too long, goes out as it is. Runs on a thread of its own
 * until the stream ends.
 */
final class OutputForwarder implements Runnable {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int LONGEST_LINE_BYTES = 64 << 10;
    private static final int PATIENCE_MS = 200;

    private final InputStream in;
    private final LineSink sink;
    private final Supplier<byte[]> tag;

    private final byte[] chunk = new byte[CHUNK_BYTES];
    /** What was read and not yet forwarded: the beginning of one line. */
    private byte[] pending = new byte[CHUNK_BYTES];

    private int pendingBytes;
    private byte[] tagged = new byte[CHUNK_BYTES];
    private int taggedBytes;
    private boolean isLineStart = true;

    /** @param tag what begins a line, asked for at each; may be empty */
    OutputForwarder(InputStream in, LineSink sink, Supplier<byte[]> tag) {
        this.in = in;
        this.sink = sink;
        this.tag = tag;
    }

    @Override
    public void run() {
        try {
            int read;
            while ((read = in.read(chunk)) >= 0) {
                take(read);
                if (pendingBytes > 0 && isSilent()) {
                    forward(pendingBytes);
                }
            }
        } catch (IOException e) {
            // The process is gone and its stream was closed under us: the end, like the end of the stream.
        }
        forward(pendingBytes);
    }

    private boolean isSilent() throws IOException {
        if (in.available() == 0) {
            try {
                Thread.sleep(PATIENCE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return in.available() == 0;
    }

    private void take(int read) {
        if (pendingBytes + read > pending.length) {
            pending = Arrays.copyOf(pending, Math.max(pending.length * 2, pendingBytes + read));
        }
        System.arraycopy(chunk, 0, pending, pendingBytes, read);
        pendingBytes += read;
        int end = pendingBytes;
        while (end > 0 && pending[end - 1] != '\n') {
            end--;
        }
        forward(pendingBytes - end > LONGEST_LINE_BYTES ? pendingBytes : end);
    }

    private void forward(int lengthBytes) {
        if (lengthBytes == 0) {
            return;
        }
        byte[] prefix = tag.get();
        if (prefix.length == 0) {
            sink.write(this, pending, lengthBytes);
        } else {
            tag(prefix, lengthBytes);
            sink.write(this, tagged, taggedBytes);
        }
        System.arraycopy(pending, lengthBytes, pending, 0, pendingBytes - lengthBytes);
        pendingBytes -= lengthBytes;
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
