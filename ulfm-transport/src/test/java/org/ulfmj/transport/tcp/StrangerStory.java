package org.ulfmj.transport.tcp;

import java.io.IOException;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;

/**
 * Two ranks that are connected, and a caller that proves nothing. Public, because tests call it in class loaders with
 * mutants.
 */
public final class StrangerStory {
    private static final ProcessId ZERO = ProcessId.of(0);
    private static final ProcessId ONE = ProcessId.of(1);
    private static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);

    private StrangerStory() {}

    /** Returns what harm the caller has done to the link of the two ranks; empty if none. */
    public static String run() throws IOException {
        // With this clock no connection is given up, however long this thread waits for a core.
        TcpWorld world = new TcpWorld(2, TIMING, new PolledClock());
        Received[] received = {new Received(), new Received()};
        Runnable poll = () -> {
            for (int slot = 0; slot < 2; slot++) {
                world.fabric(slot).pollWithSeat(received[slot]);
            }
        };
        try {
            world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> received[1].frames.size() == 1, poll);
            Object good = world.fabric(0).linkTo(ONE).session().adopted();
            Object other = world.fabric(1).linkTo(ZERO).session().adopted();
            RawPeer stranger = new RawPeer(world.fabric(0).port());
            try {
                Polling.until(() -> world.fabric(0).strangers().count() == 1, poll);
                world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
                Polling.until(() -> received[1].frames.size() == 2, poll);
            } finally {
                stranger.close();
            }
            boolean isKept = world.fabric(0).linkTo(ONE).session().adopted() == good
                    && world.fabric(1).linkTo(ZERO).session().adopted() == other;
            return isKept ? "" : "a good connection is displaced";
        } finally {
            world.close();
        }
    }
}
