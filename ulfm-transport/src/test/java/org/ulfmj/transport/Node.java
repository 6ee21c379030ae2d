package org.ulfmj.transport;

import java.util.List;

/** One rank of a world of two, whose ranks are separate processes. */
public interface Node extends AutoCloseable {
    /** What the other one must know. */
    MemberRecord record();

    void connect(List<MemberRecord> table);

    Fabric fabric();

    @Override
    void close();
}
