package org.ulfmj.transport.shm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;

/**
 * The memory of one lane: a ring of records from one sender to one receiver.
 *
 * <pre>
 *     0  head: position up to which records are read    written by the receiver
 *   128  id of the file that replaces this one          written by the sender
 *   136  not zero while the sender lacks room           written by the sender
 *   256  records
 *
 *   a record, at a multiple of 8 bytes:
 *   0                   4         5                   8
 *   +-------------------+---------+-------------------+
 *   | length of body    | kind    | stamp             |   the commit word
 *   +-------------------+---------+-------------------+
 *   | body …                                          |
 * </pre>
 *
 * Positions only grow; the memory is used again from the start. A record never wraps: if a record does not fit before
 * the end of the memory, a {@link #SKIP} there says that the next record is at the start.
 *
 * <p>A record exists once its commit word is not zero. The sender writes a zero where the <em>next</em> commit word
 * will be, if there will be one, then the body, and publishes the record's own commit word last, with release; the
 * receiver reads it with acquire. So the word at which the receiver waits is always either zero or a whole commit word,
 * for any bytes that lay there before. Only the sender writes into records. A sender that dies at any byte has sent
 * either all of a record or nothing.
 *
 * <p>The stamp holds 24 bits of the record's position. By the stamp a receiver that has lost its position notices this
 * in all likelihood, instead of reading wrong bytes.
 */
final class LaneLayout {
    static final int HEAD_AT = 0;
    static final int SUCCESSOR_AT = 128;
    static final int WISH_AT = 136;
    static final int RECORDS_AT = 256;
    static final int WORD_BYTES = Long.BYTES;

    /** A whole frame with the full header. */
    static final int FRAME = 1;
    /**
     * A record of this kind says that no further record comes before the end of the memory; the next record is at the
     * start.
     */
    static final int SKIP = 2;
    /**
     * The record holds a part of a frame that is too large for the ring: total length of the frame (int), offset of the
     * part (int), bytes.
     */
    static final int PART = 3;
    /** The last record of this file: the lane continues in the file whose id is at {@link #SUCCESSOR_AT}. */
    static final int REPLACED = 4;
    /** The last record of the lane: the sender has marked the receiver failed. */
    static final int EXCLUDED = 5;
    /**
     * The record holds a whole frame with the short header. With a payload of eight bytes the record takes half a cache
     * line.
     */
    static final int BRIEF = 6;
    /** The record holds a whole short frame without a header: a message between protocols. */
    static final int BARE = 7;

    /** The length of the header of a {@link #PART}, in front of its bytes. */
    static final int PART_HEADER_BYTES = 8;

    /**
     * Access to words that several processes share. The memory is a mapped file, aligned, in the byte order of the
     * machine.
     */
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int KIND_SHIFT = 32;
    private static final int STAMP_SHIFT = 40;
    private static final long STAMP_MASK = 0xffffff;

    private LaneLayout() {}

    static long wordAcquire(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at);
    }

    static void wordRelease(ByteBuffer memory, int at, long value) {
        LONG.setRelease(memory, at, value);
    }

    static long wordOpaque(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at);
    }

    /** Adds one to a word atomically, because several processes do so. Returns the value before. */
    static long countUp(ByteBuffer memory, int at) {
        return add(memory, at, 1);
    }

    /** Adds a number to a word atomically. Returns the value before. */
    static long add(ByteBuffer memory, int at, long number) {
        return (long) LONG.getAndAdd(memory, at, number);
    }

    static long commitWord(int kind, int bodyBytes, long position) {
        return bodyBytes | (long) kind << KIND_SHIFT | stamp(position) << STAMP_SHIFT;
    }

    static int kindOf(long commitWord) {
        return (int) (commitWord >>> KIND_SHIFT) & 0xff;
    }

    static int bodyBytesOf(long commitWord) {
        return (int) commitWord;
    }

    static boolean isStampOf(long commitWord, long position) {
        return commitWord >>> STAMP_SHIFT == stamp(position);
    }

    private static long stamp(long position) {
        return position >>> 3 & STAMP_MASK;
    }

    /** The kind of the record that is to hold this whole frame. */
    static int kindFor(Frame frame) {
        return FrameLayout.isBrief(frame) ? BRIEF : FrameLayout.isBare(frame) ? BARE : FRAME;
    }

    /** The length of the body of the record that is to hold this whole frame. */
    static int bodyBytesFor(Frame frame) {
        return bodyBytesFor(kindFor(frame), frame.payloadBytes());
    }

    static int bodyBytesFor(int kind, int payloadBytes) {
        return switch (kind) {
            case BARE -> payloadBytes;
            case BRIEF -> FrameLayout.BRIEF_HEADER_BYTES + payloadBytes;
            default -> FrameLayout.HEADER_BYTES + payloadBytes;
        };
    }

    /** The number of bytes that a record takes in the ring. */
    static int recordBytes(int bodyBytes) {
        return WORD_BYTES + (bodyBytes + WORD_BYTES - 1 & -WORD_BYTES);
    }
}
