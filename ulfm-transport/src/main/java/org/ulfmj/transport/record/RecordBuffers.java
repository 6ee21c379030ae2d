package org.ulfmj.transport.record;

/**
 * The memory of one {@link RecordChannel}, up to 200 KiB. A channel that takes the place of another one may use the
 * other's memory, once that is closed: the old content does not matter.
 */
public final class RecordBuffers {
    final RecordBuffer reading = new RecordBuffer();
    final RecordBuffer writing = new RecordBuffer();
}
