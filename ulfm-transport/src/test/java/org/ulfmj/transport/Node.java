package org.ulfmj.transport;

import java.util.List;

/** One rank of a world of two, in a separate process. */
public interface Node extends AutoCloseable {
    /** What the other one must know. */
    MemberRecord record();

    void connect(List<MemberRecord> table);

    Fabric fabric();

    @Override
    void close();
}
