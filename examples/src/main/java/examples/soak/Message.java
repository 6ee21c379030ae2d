package examples.soak;

/**
 * One message: who sends what to whom follows from the step and its number in it.
 *
 * @param scope where it travels
 * @param from the sender's rank there
 * @param to the receiver's rank there
 * @param tag of the step
 * @param key of its content
 * @param length in bytes
 */
record Message(Scope scope, int from, int to, int tag, long key, int length) {
    /** From nothing to what needs many pieces, with the places where something changes, and one beside them. */
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 100, 100, 1000, 1000, 4096, 10_000, 30_000, 65_535, 65_536, 65_537, 131_072, 200_001, 400_000
    };
    /** How many of these need no handshake and little time. */
    private static final int SHORT = 9;

    /** What a receiver who does not know the sender must have room for. */
    static final int LONGEST = LENGTHS[LENGTHS.length - 1];

    private static final long OTHER_BITS = 77;

    /** A message of any length. */
    static Message of(Scope scope, Step step, int number, int from, int to) {
        return of(scope, step, number, from, to, LENGTHS.length);
    }

    /** A message that may wait unreceived: the sends of a whole step never wait for each other. */
    static Message ofShort(Scope scope, Step step, int number, int from, int to) {
        return of(scope, step, number, from, to, SHORT);
    }

    private static Message of(Scope scope, Step step, int number, int from, int to, int lengths) {
        long key = step.key(scope, Mix.of(scope.slot(from), scope.slot(to), number));
        int length = LENGTHS[(int) Long.remainderUnsigned(Mix.of(key, OTHER_BITS), lengths)];
        return new Message(scope, from, to, step.tag(), key, length);
    }

    /** The same with a tag that tells it from others of its step; {@code number} is less than {@link Step#TAGS}. */
    Message ofTag(int number) {
        return new Message(scope, from, to, tag + number, key, length);
    }

    /** The same with another length. */
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
