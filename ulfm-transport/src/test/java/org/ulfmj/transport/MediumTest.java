package org.ulfmj.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;

/**
 * Ranks over one medium, mostly driven by the test's thread. Subclasses have the tests, and other subclasses run them
 * for each medium.
 */
@Timeout(120)
public abstract class MediumTest {
    /** The fabrics of a world and how to kill one of its ranks. */
    public interface World extends AutoCloseable {
        Fabric fabric(int slot);

        /** As SIGKILL would. */
        void kill(int slot);

        /** The {@link MemberRecord} of the process that has a slot now. */
        MemberRecord record(int slot);

        /**
         * Starts the next process of a slot. It knows the processes that have the other slots now; they do not know it
         * yet.
         */
        void succeed(int slot);

        @Override
        void close();
    }

    protected static final ProcessId ZERO = ProcessId.of(0);
    protected static final ProcessId ONE = ProcessId.of(1);

    private World world;
    private Received[] received = {};

    /** Makes a world of ranks that know each other and have exchanged nothing. */
    protected abstract World newWorld(int ranks);

    @AfterEach
    final void closeWorld() {
        if (world != null) {
            world.close();
        }
    }

    protected final Fabric fabric(int slot) {
        return world.fabric(slot);
    }

    protected final void kill(int slot) {
        world.kill(slot);
    }

    protected final MemberRecord record(int slot) {
        return world.record(slot);
    }

    protected final MemberRecord succeed(int slot) {
        world.succeed(slot);
        received[slot] = new Received();
        return world.record(slot);
    }

    protected final Received received(int slot) {
        return received[slot];
    }

    protected final World start(int ranks) {
        return use(newWorld(ranks), ranks);
    }

    /** Closes the present world, if there is one, and goes on with another one. */
    protected final World use(World next, int ranks) {
        closeWorld();
        world = next;
        received = new Received[ranks];
        for (int slot = 0; slot < ranks; slot++) {
            received[slot] = new Received();
        }
        return world;
    }

    protected final int ranks() {
        return received.length;
    }

    protected final void poll(int slot) {
        world.fabric(slot).pollWithSeat(received[slot]);
    }

    /** Polls the given ranks until the condition holds. */
    protected final void pollUntil(BooleanSupplier condition, int... slots) {
        Polling.until(condition, () -> {
            for (int slot : slots) {
                poll(slot);
            }
        });
    }

    protected final void offerPatiently(int from, ProcessId to, LaneKind lane, Frame frame) {
        pollUntil(() -> world.fabric(from).offer(to, lane, frame), from, to.slot());
    }

    protected final List<Received.Item> items(int slot, LaneKind lane) {
        List<Received.Item> items = new ArrayList<>();
        for (Received.Item item : received[slot].frames) {
            if (item.lane() == lane) {
                items.add(item);
            }
        }
        return items;
    }
}
