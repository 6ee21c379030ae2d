package org.ulfmj.transport.record;

/**
 * The format of a record, little endian:
 *
 * <pre>
 *   0                   4
 *   +-------------------+---------------------------------------+-------------------+
 *   | length of all     | sealed bytes, at most MAX_BYTES …     | tag (16)          |
 *   | that follows      |                                       |                   |
 *   +-------------------+---------------------------------------+-------------------+
 * </pre>
 *
 * The length is not sealed itself. A wrong one lets the reader check other bytes than were sealed, and so fails the
 * check of the tag. The bytes are a stream: where a record ends has no meaning.
 */
final class RecordFormat {
    /** The most bytes that a record holds. With this many, the copies of a record stay in the first cache. */
    static final int MAX_BYTES = 16 * 1024;

    static final int LENGTH_BYTES = 4;
    static final int TAG_BYTES = 16;
    static final int OVERHEAD_BYTES = LENGTH_BYTES + TAG_BYTES;
    static final int MAX_SEALED_BYTES = MAX_BYTES + TAG_BYTES;
    static final int MAX_RECORD_BYTES = LENGTH_BYTES + MAX_SEALED_BYTES;

    /** The length of the buffer of one direction: at first, and, in {@link #MAX_BUFFER_BYTES}, at most. */
    static final int FIRST_BUFFER_BYTES = 4 * 1024;

    static final int MAX_BUFFER_BYTES = 4 * MAX_RECORD_BYTES;

    private RecordFormat() {}
}
