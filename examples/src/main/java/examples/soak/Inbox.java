package examples.soak;

import java.nio.ByteBuffer;
import mpi.MPI;
import mpi.Status;

/**
 * A receive buffer that is longer than its message, and the check of the message: its envelope, each byte, and that no
 * byte after it was written.
 */
final class Inbox {
    private static final int SLACK = 24;

    private final byte[] array;
    private final ByteBuffer direct;

    private Inbox(byte[] array, ByteBuffer direct) {
        this.array = array;
        this.direct = direct;
    }

    /**
     * Makes an inbox for messages up to a length.
     *
     * @param isDirect whether it is a direct buffer, and not an array
     */
    static Inbox of(int length, boolean isDirect) {
        byte[] array = Pattern.empty(length + SLACK);
        return new Inbox(
                array, isDirect ? ByteBuffer.allocateDirect(array.length).put(array) : null);
    }

    /** The buffer argument of a blocking receive. */
    Object buffer() {
        return direct == null ? array : direct;
    }

    int capacity() {
        return array.length;
    }

    /** The buffer to pass to a call that starts a receive. */
    ByteBuffer byteBuffer() {
        return direct == null ? ByteBuffer.wrap(array) : direct;
    }

    /** A digest that depends on each byte. */
    long digest() {
        if (direct != null) {
            direct.clear().get(array);
        }
        long digest = 0;
        for (byte one : array) {
            digest = 31 * digest + one;
        }
        return digest;
    }

    /** Checks that exactly this message has arrived, and counts it. Throws otherwise. */
    void check(Message expected, Status status, RankStatus tally) {
        int count = status.getCount(MPI.BYTE);
        if (count != expected.length() || status.getSource() != expected.from() || status.getTag() != expected.tag()) {
            throw new WrongValueException("expected a " + expected + " but " + count + " bytes from rank "
                    + status.getSource() + " with tag " + status.getTag() + " came");
        }
        if (direct != null) {
            direct.clear().get(array);
        }
        int wrong = Pattern.mismatch(array, 0, count, expected.key());
        if (wrong >= 0) {
            throw new WrongValueException("byte " + wrong + " or one soon after it is wrong in the " + expected);
        }
        int touched = Pattern.touched(array, count);
        if (touched >= 0) {
            throw new WrongValueException(
                    "byte " + touched + " of the buffer was written, which is behind the end of the " + expected);
        }
        tally.checked(1, count);
    }
}
