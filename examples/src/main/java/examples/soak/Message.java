package examples.soak;

/**
 * One message. Its key, and its length unless it is from {@link #ofLength}, follow from the step, the scope, the
 * sender, the receiver and a number of the message within the step.
 *
 * @param scope the communicator that it is sent on
 * @param from the sender's rank in the scope
 * @param to the receiver's rank in the scope
 * @param tag that of the step, or greater by the number given to {@link #ofTag}
 * @param key of its content
 * @param length in bytes
 */
record Message(Scope scope, int from, int to, int tag, long key, int length) {
    /**
     * The lengths of messages: from empty ones to those that need many pieces, with the lengths at which the protocol
     * changes, and lengths next to those.
     */
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 100, 100, 1000, 1000, 4096, 10_000, 30_000, 65_535, 65_536, 65_537, 131_072, 200_001, 400_000
    };
    /** How many lengths, from the first on, count as short: their messages need no handshake and little time. */
    private static final int SHORT = 9;

    /**
     * The greatest length of a message: so much room a receiver needs if it does not know which sender's message comes.
     */
    static final int LONGEST = LENGTHS[LENGTHS.length - 1];

    private static final long OTHER_BITS = 77;

    /** A message of any length. */
    static Message of(Scope scope, Step step, int number, int from, int to) {
        return of(scope, step, number, from, to, LENGTHS.length);
    }

    /** A message of one of the short lengths, which may wait unreceived while its sender goes on. */
    static Message ofShort(Scope scope, Step step, int number, int from, int to) {
        return of(scope, step, number, from, to, SHORT);
    }

    private static Message of(Scope scope, Step step, int number, int from, int to, int lengths) {
        long key = step.key(scope, Mix.of(scope.slot(from), scope.slot(to), number));
        int length = LENGTHS[(int) Long.remainderUnsigned(Mix.of(key, OTHER_BITS), lengths)];
        return new Message(scope, from, to, step.tag(), key, length);
    }

    /**
     * The same message with a tag that tells it from others of its step.
     *
     * @param number less than {@link Step#TAGS}
     */
    Message ofTag(int number) {
        return new Message(scope, from, to, tag + number, key, length);
    }

    /** The same message with another length. */
    Message ofLength(int newLength) {
        return new Message(scope, from, to, tag, key, newLength);
    }

    byte[] bytes() {
        return Pattern.bytes(key, length);
    }

    @Override
    public String toString() {
        return "message of " + length + " bytes from process " + scope.slot(from) + " to process " + scope.slot(to)
                + ", tag " + tag + ", on " + scope;
    }
}
