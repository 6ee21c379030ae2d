package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.testkit.memory.Interleaving;
import org.ulfmj.testkit.memory.Interleavings;
import org.ulfmj.testkit.memory.SharedAccess;

/**
 * A sender and a receiver of one lane in a ring that holds only a few records. They use the ring as
 * {@link OutboundLane} and {@link InboundLane} do: it wraps around, is rewound, gets full, is replaced by a larger one
 * in some stories, and ends with the record by which the sender marks the receiver failed. This class is loaded with a
 * copy of the ring that calls {@link SharedAccess#point} before chosen memory accesses.
 */
public final class RingStory implements Interleavings.Story {
    private static final int WRITER = 0;
    private static final int READER = 1;
    private static final long SUCCESSOR = 77;

    private final int[] frameBytes;
    private final boolean mayReplace;
    private final ByteBuffer first;
    private final ByteBuffer second;
    private final List<byte[]> received = new ArrayList<>();
    private int committed;
    private int attempts;
    private int roomSignals;
    private boolean isEnded;

    private RingStory(int[] frameBytes, int ringBytes, boolean mayReplace) {
        this.frameBytes = frameBytes;
        this.mayReplace = mayReplace;
        this.first = memory(ringBytes);
        this.second = memory(2 * ringBytes);
    }

    /**
     * Runs the interleavings of sender and receiver with at most {@code mostSwitches} switches, and, with at most
     * {@code mostWithDeath}, those in which one of the two dies; returns the number of runs.
     *
     * @param sizes the lengths of the frames in bytes, separated by blanks
     */
    public static Long explore(
            String sizes, Integer ringBytes, Boolean mayReplace, Integer mostSwitches, Integer mostWithDeath) {
        int[] frameBytes =
                Arrays.stream(sizes.split(" ")).mapToInt(Integer::parseInt).toArray();
        return new Interleavings(() -> new RingStory(frameBytes, ringBytes, mayReplace))
                .exploreAll(mostSwitches, 2, mostWithDeath);
    }

    private static ByteBuffer memory(int ringBytes) {
        return ByteBuffer.allocateDirect(LaneLayout.RECORDS_AT + ringBytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void tell(Interleaving run) {
        run.add(this::write).add(this::read);
    }

    private byte[] frame(int number) {
        byte[] frame = new byte[frameBytes[number]];
        Arrays.fill(frame, (byte) (number + 1));
        return frame;
    }

    private void write(Interleaving.Task task) {
        RingWriter ring = new RingWriter(first);
        boolean isReplaced = false;
        for (int number = 0; number < frameBytes.length; ) {
            int signals = roomSignals;
            boolean isWritten = ring.write(frame(number));
            if (!isWritten && mayReplace && !isReplaced) {
                isReplaced = true;
                ring.replaceBy(SUCCESSOR);
                ring = new RingWriter(second);
                continue;
            }
            attempts++;
            if (isWritten || ring.wishForRoom() && ring.write(frame(number))) {
                ring.fetchAhead();
                committed = ++number;
            } else if (!task.await(() -> roomSignals != signals || task.isOver(READER))) {
                throw new IllegalStateException("the sender waits for room for ever");
            } else if (task.isOver(READER)) {
                return;
            }
        }
        ring.exclude();
    }

    private void read(Interleaving.Task task) {
        RingReader ring = new RingReader(first);
        while (true) {
            int seen = attempts;
            boolean isOver = task.isOver(WRITER);
            int count = 0;
            while (ring.next()) {
                count++;
                if (ring.kind() == LaneLayout.REPLACED) {
                    require(ring.successor() == SUCCESSOR, "the successor is " + ring.successor());
                    ring.release();
                    ring = new RingReader(second);
                } else if (ring.kind() == LaneLayout.EXCLUDED) {
                    ring.release();
                    isEnded = true;
                    return;
                } else {
                    take(ring);
                }
            }
            require(ring.fault() == null, "the ring " + ring.fault());
            if (count > 0) {
                VarHandle.fullFence();
                if (ring.isRoomWished()) {
                    roomSignals++;
                }
            } else if (isOver) {
                return;
            } else {
                require(
                        task.await(() -> attempts != seen || task.isOver(WRITER)),
                        "sender and receiver wait for each other");
            }
        }
    }

    private void take(RingReader ring) {
        ByteBuffer body = ring.body();
        byte[] bytes = new byte[body.remaining()];
        for (int i = 0; i < bytes.length; i++) {
            if (i % LaneLayout.WORD_BYTES == 0) {
                SharedAccess.point();
            }
            bytes[i] = body.get();
        }
        received.add(bytes);
        ring.release();
    }

    @Override
    public void check(Interleaving run) {
        for (int number = 0; number < received.size(); number++) {
            require(Arrays.equals(received.get(number), frame(number)), "frame " + number + " is another");
        }
        if (!run.isKilled()) {
            require(isEnded && received.size() == frameBytes.length, "only " + received.size() + " frames arrived");
        } else if (!isReaderKilled(run)) {
            // When the sender dies, all frames that it had written arrive, and perhaps the one that it was writing.
            require(
                    received.size() == committed || received.size() == committed + 1,
                    received.size() + " frames arrived of " + committed);
        }
    }

    private static boolean isReaderKilled(Interleaving run) {
        return run.victim() == READER;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
