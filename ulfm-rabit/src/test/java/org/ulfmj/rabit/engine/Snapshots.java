package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.List;

/** Snapshots for tests outside of this package. */
public final class Snapshots {
    private Snapshots() {}

    /** Of nothing. */
    public static ByteBuffer empty() {
        return Snapshot.of(List.of()).toBytes();
    }
}
