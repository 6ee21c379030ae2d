package org.ulfmj.runtime.lent;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.ulfmj.transport.Payload;

/** A buffer object of the program whose memory is lent: the id of the memory, and where the buffer begins there. */
public class LentBuffer extends WeakReference<Object> {
    private final long id;
    private final int offset;

    public LentBuffer(Object buffer, long id, int offset) {
        this(buffer, id, offset, null);
    }

    LentBuffer(Object buffer, long id, int offset, ReferenceQueue<Object> gone) {
        super(buffer, gone);
        this.id = id;
        this.offset = offset;
    }

    /** The id under which other ranks find the lent memory. */
    public long id() {
        return id;
    }

    /** The byte of the lent memory at which the buffer begins. */
    int offset() {
        return offset;
    }

    /** Returns the byte of the lent memory at which a message in this buffer begins. */
    public int offsetOf(Payload message) {
        return offset + message.holderOffset();
    }
}
