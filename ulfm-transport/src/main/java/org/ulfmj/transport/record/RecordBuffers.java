package org.ulfmj.transport.record;

/**
 * The memory of one {@link RecordChannel}, up to 200 KiB. A channel that takes the place of another one may use that
 * one's memory, once the other is closed: what is in it does not matter.
 */
public final class RecordBuffers {
    final RecordBuffer reading = new RecordBuffer();
    final RecordBuffer writing = new RecordBuffer();
}
