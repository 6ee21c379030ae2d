package org.ulfmj.transport.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.DeadPeerContract;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.host.HostProcess;

class ShmDeadPeerTest extends DeadPeerContract {
    @Override
    protected World newWorld(int ranks) {
        return new ShmWorld(ranks);
    }

    /**
     * One step for each word of the body, one for the zero in the place of the next commit word, and one for the commit
     * word.
     */
    @Override
    protected int stepsToSend(Frame frame) {
        return LaneLayout.recordBytes(FrameLayout.totalBytes(frame)) / LaneLayout.WORD_BYTES + 1;
    }

    @Override
    protected World worldWhoseOneDied(Frame whole, Frame torn, int steps) {
        ShmWorld world = new ShmWorld(2);
        world.fabric(1).offer(ZERO, LaneKind.DATA, whole);
        ByteBuffer lane = laneFromOne(world);
        byte[] before = copyOf(lane);
        world.fabric(1).offer(ZERO, LaneKind.DATA, torn);
        byte[] after = copyOf(lane);
        lane.put(0, before);
        int recordAt = LaneLayout.RECORDS_AT + LaneLayout.recordBytes(LaneLayout.bodyBytesFor(whole));
        for (int step = 1; step <= steps; step++) {
            int at = step == stepsToSend(torn) ? recordAt : recordAt + step * LaneLayout.WORD_BYTES;
            lane.put(at, after, at, LaneLayout.WORD_BYTES);
        }
        world.kill(1);
        return world;
    }

    @Override
    protected Optional<World> worldWhoseOneSent(Frame whole, byte[] malformed) {
        ShmWorld world = new ShmWorld(3);
        world.fabric(1).offer(ZERO, LaneKind.DATA, whole);
        int recordAt = LaneLayout.RECORDS_AT + LaneLayout.recordBytes(LaneLayout.bodyBytesFor(whole));
        ByteBuffer lane = laneFromOne(world);
        lane.put(recordAt + LaneLayout.WORD_BYTES, malformed);
        long position = recordAt - LaneLayout.RECORDS_AT;
        LaneLayout.wordRelease(lane, recordAt, LaneLayout.commitWord(LaneLayout.FRAME, malformed.length, position));
        return Optional.of(world);
    }

    /** The memory of the first file of the data lane from rank 1 to rank 0. */
    private static ByteBuffer laneFromOne(ShmWorld world) {
        try {
            long nonce = world.table.get(0).nonce();
            Mailbox mailbox = new Mailbox(
                    world.files[1].openMailbox(ZERO, HostProcess.self(), nonce).memory());
            long id = mailbox.lane(ONE, LaneKind.DATA);
            return world.files[0].open(ProcessId.of(1), HostProcess.self(), id).memory();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] copyOf(ByteBuffer lane) {
        byte[] copy = new byte[lane.capacity()];
        lane.get(0, copy);
        return copy;
    }
}
