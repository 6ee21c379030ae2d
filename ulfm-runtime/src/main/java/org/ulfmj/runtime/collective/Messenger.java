package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.progress.Completion;

/**
 * How a {@link CollectiveSchedule} reaches the other members of its communicator. Messages of one schedule from one
 * rank to another match in the order in which they were started; messages of different schedules never meet.
 *
 * <p>{@link #send} and {@link #receive} are called under the engine lock, start a message and return at once. Buffers
 * are addressed absolutely (their position and limit are neither used nor moved) and belong to the message until it is
 * done.
 *
 * <p>A schedule never sees an error: when one of its messages fails, the engine stops advancing the schedule.
 */
public interface Messenger {
    /** The caller's rank. */
    int rank();

    /** Number of members. */
    int size();

    /** Starts to send {@code lengthBytes} bytes of {@code data} from index {@code offset} on. */
    Completion send(int peer, ByteBuffer data, int offset, int lengthBytes);

    /**
     * Starts to receive exactly {@code lengthBytes} bytes to index {@code offset} of {@code data}; a message of another
     * length means that the ranks called with different counts and is an error of class {@code TRUNCATE}.
     */
    Completion receive(int peer, ByteBuffer data, int offset, int lengthBytes);
}
