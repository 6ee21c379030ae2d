package org.ulfmj.launch.agent;

import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/**
 * A stdout or stderr stream of a process on another host, as the launcher reads it. The line's thread adds pieces. The
 * number of bytes read is reported to the agent now and then, so that it may send as many more.
 */
final class CreditedInput extends InputStream {
    /** How many bytes of a stream may be on their way or unread at a time. */
    static final int CREDIT_BYTES = 1 << 20;

    private static final int TOLD_AT_BYTES = CREDIT_BYTES / 4;

    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private final IntConsumer onRead;
    /** How many bytes of the first piece in the queue have been read. */
    private int readOfFirst;

    private int untold;
    private boolean isAtEnd;

    /** @param onRead is told how many bytes were read since it was called last */
    CreditedInput(IntConsumer onRead) {
        this.onRead = onRead;
    }

    /** Adds a piece that is not empty, unless the stream has ended. Any thread. */
    synchronized void add(byte[] piece) {
        if (!isAtEnd) {
            pieces.add(piece);
            notifyAll();
        }
    }

    /** Notes that no further piece follows. Any thread; may be called again. */
    synchronized void end() {
        isAtEnd = true;
        notifyAll();
    }

    /** Whether no piece follows. Any thread. */
    synchronized boolean isAtEnd() {
        return isAtEnd;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int count;
        int told = 0;
        synchronized (this) {
            while (pieces.isEmpty()) {
                if (isAtEnd) {
                    return -1;
                }
                await();
            }
            byte[] first = pieces.peek();
            count = Math.min(length, first.length - readOfFirst);
            System.arraycopy(first, readOfFirst, target, offset, count);
            readOfFirst += count;
            if (readOfFirst == first.length) {
                pieces.remove();
                readOfFirst = 0;
            }
            untold += count;
            if (untold >= TOLD_AT_BYTES && !isAtEnd) {
                told = untold;
                untold = 0;
            }
        }
        if (told > 0) {
            onRead.accept(told);
        }
        return count;
    }

    private void await() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException("threads that read streams are never interrupted", e);
        }
    }

    @Override
    public synchronized int available() {
        int bytes = -readOfFirst;
        for (byte[] piece : pieces) {
            bytes += piece.length;
        }
        return Math.max(0, bytes);
    }
}
