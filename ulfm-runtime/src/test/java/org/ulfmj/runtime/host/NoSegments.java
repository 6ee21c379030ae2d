package org.ulfmj.runtime.host;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;
import org.ulfmj.transport.SleepWatch;

/** The shared memory of a host, for tests that make their segments themselves and in which no rank sleeps. */
abstract class NoSegments implements HostMemory {
    @Override
    public int segmentBytes(int ranks) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean reaches(ProcessId other) {
        return true;
    }

    @Override
    public Segment create(int lengthBytes) {
        return null;
    }

    @Override
    public Segment open(ProcessId maker, long id) {
        return null;
    }

    @Override
    public void unlink(Segment own) {}

    @Override
    public void discard(Segment segment) {}

    @Override
    public void ring(ProcessId other) {}

    @Override
    public void watch(SleepWatch watch) {}
}
