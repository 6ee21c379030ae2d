package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.Schedule;
import org.ulfmj.runtime.host.HostGroup;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Segment;

/**
 * How the members of a communicator come to share memory, or find out, all alike, that they do not. Under the engine lock.
 *
 * <p>The first collective operations of a communicator go by messages. When enough have been called, which all members count
 * alike, the next one that could use shared memory is preceded by two exchanges of messages: each tells which segment it
 * has made, or that it has none; then whether it could open all the others'. Only if everybody could, everybody uses them,
 * for good. A member that fails meanwhile fails the operation, by the rules for any collective.
 *
 * <p>What a freed communicator has had is offered again for the next one of the same members, so that programs which make and
 * free communicators do not make files each time: it is used if all offer the same, at the same point of its life. A member
 * offers it only when it has freed the communicator, so nobody reads in it any more. What a failure, a revocation or a wrong
 * program has touched is never offered.
 */
final class HostSetup {
    private static final int MOST_RANKS = 64;
    private static final int MOST_IDLE = 8;
    /** Beyond any number of an operation for a long time: the tags of these exchanges. */
    private static final int FIRST_TAG = Integer.MIN_VALUE;

    private static final int OFFER_BYTES = 4 * Long.BYTES;
    private static final int ID = 0;
    private static final int LENGTH = 8;
    private static final int IS_CROWDED = 12;
    private static final int GENERATION = 16;
    private static final int OPERATIONS = 24;

    private record Idle(ProcessId[] processes, HostCollective host) {}

    private final RankEngine engine;
    private final HostMemory memory;
    private final HostSleep sleep;
    private final int after;
    private final boolean crowded;
    private final List<Idle> idle = new ArrayList<>();

    HostSetup(RankEngine engine, RankSettings settings) {
        this.engine = engine;
        this.memory = engine.fabric().hostMemory();
        this.sleep = new HostSleep();
        this.after = settings.hostCollectivesAfter();
        this.crowded = settings.crowded();
        if (memory != null) {
            memory.watch(sleep);
        }
    }

    /** What the members share, after they have decided that if it is time; null if they do not. */
    HostCollective of(CommunicatorState communicator, String operation) {
        if (communicator.hostIsDecided || communicator.collectiveSequence < after) {
            return communicator.host;
        }
        int size = communicator.members.size();
        if (size < 2 || size > MOST_RANKS) {
            communicator.hostIsDecided = true;
            return null;
        }
        if (ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            // The operation itself says so.
            return null;
        }
        boolean isLeft = true;
        try {
            communicator.host = decide(communicator, operation);
            isLeft = false;
        } finally {
            communicator.hostIsDecided = true;
            if (isLeft && ScheduleRuns.verdict(communicator) == ErrorClass.SUCCESS) {
                Collectives.leaveInTheMiddle(engine, communicator);
            }
        }
        return communicator.host;
    }

    private HostCollective decide(CommunicatorState communicator, String operation) {
        Idle used = takeIdle(processes(communicator));
        Segment mine = used == null ? create(communicator) : null;
        ByteBuffer offers = exchange(communicator, operation, 0, mine, offer(mine, used));
        HostCollective again = reuse(communicator, offers, used);
        if (again != null) {
            return again;
        }
        int size = communicator.members.size();
        if (used != null) {
            putIdle(used);
            mine = create(communicator);
        }
        if (hasOfferAgain(offers, size)) {
            offers = exchange(communicator, operation, 1, mine, offer(mine, null));
        }
        if (isSame(offers, size, ID, 0)) {
            return null;
        }
        Segment[] segments = open(communicator, offers, mine);
        ByteBuffer answer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        answer.putLong(0, segments == null ? 0 : 1);
        ByteBuffer answers = exchange(communicator, operation, 2, mine, answer);
        for (int rank = 0; rank < size; rank++) {
            if (answers.getLong(rank * Long.BYTES) != 1) {
                discard(segments, mine);
                return null;
            }
        }
        return begin(communicator, offers, segments);
    }

    private HostCollective begin(CommunicatorState communicator, ByteBuffer offers, Segment[] segments) {
        int size = communicator.members.size();
        boolean isCrowded = false;
        for (int rank = 0; rank < size; rank++) {
            isCrowded |= offers.getInt(rank * OFFER_BYTES + IS_CROWDED) != 0;
        }
        HostGroup group = new HostGroup(memory, processes(communicator), communicator.rank, segments);
        group.unlink();
        HostCollective host = new HostCollective(engine, this, group, offers.getLong(ID), isCrowded);
        host.belongTo(communicator);
        sleep.add(group);
        return host;
    }

    private Segment create(CommunicatorState communicator) {
        if (memory == null) {
            return null;
        }
        if (!areReached(processes(communicator))) {
            return null;
        }
        return memory.create(memory.segmentBytes(communicator.members.size()));
    }

    private boolean areReached(ProcessId[] processes) {
        for (ProcessId process : processes) {
            if (!memory.reaches(process)) {
                return false;
            }
        }
        return true;
    }

    private ProcessId[] processes(CommunicatorState communicator) {
        ProcessId[] processes = new ProcessId[communicator.members.size()];
        for (int rank = 0; rank < processes.length; rank++) {
            processes[rank] = communicator.process(rank);
        }
        return processes;
    }

    private ByteBuffer offer(Segment mine, Idle used) {
        ByteBuffer offer = ByteBuffer.allocate(OFFER_BYTES).order(ByteOrder.nativeOrder());
        if (mine != null) {
            offer.putLong(ID, mine.id()).putInt(LENGTH, mine.lengthBytes());
        }
        offer.putInt(IS_CROWDED, crowded ? 1 : 0);
        if (used != null) {
            offer.putLong(GENERATION, used.host.generation)
                    .putLong(OPERATIONS, used.host.group().operations());
        }
        return offer;
    }

    private HostCollective reuse(CommunicatorState communicator, ByteBuffer offers, Idle used) {
        int size = communicator.members.size();
        if (used == null
                || !isSame(offers, size, GENERATION, used.host.generation)
                || !isSame(offers, size, OPERATIONS, used.host.group().operations())) {
            return null;
        }
        used.host.belongTo(communicator);
        return used.host;
    }

    private static boolean isSame(ByteBuffer offers, int size, int field, long value) {
        for (int rank = 0; rank < size; rank++) {
            if (offers.getLong(rank * OFFER_BYTES + field) != value) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasOfferAgain(ByteBuffer offers, int size) {
        for (int rank = 0; rank < size; rank++) {
            if (offers.getLong(rank * OFFER_BYTES + GENERATION) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Null unless all have one, of one length, and all can be opened. */
    private Segment[] open(CommunicatorState communicator, ByteBuffer offers, Segment mine) {
        int size = communicator.members.size();
        ProcessId[] makers = processes(communicator);
        Segment[] segments = new Segment[size];
        for (int rank = 0; rank < size; rank++) {
            if (rank == communicator.rank) {
                segments[rank] = mine;
                continue;
            }
            long id = offers.getLong(rank * OFFER_BYTES + ID);
            int length = offers.getInt(rank * OFFER_BYTES + LENGTH);
            if (mine != null && id != 0 && length == mine.lengthBytes()) {
                segments[rank] = memory.open(makers[rank], id);
            }
            if (segments[rank] == null || segments[rank].lengthBytes() != length) {
                discard(segments, null);
                return null;
            }
        }
        return segments;
    }

    private void discard(Segment[] segments, Segment mine) {
        if (segments != null) {
            for (Segment segment : segments) {
                if (segment != null && segment != mine) {
                    memory.discard(segment);
                }
            }
        }
        if (mine != null) {
            memory.discard(mine);
        }
    }

    /**
     * What everybody says, by rank, once all have said it.
     *
     * @param mine of no use if that fails
     */
    private ByteBuffer exchange(
            CommunicatorState communicator, String operation, int round, Segment mine, ByteBuffer said) {
        int size = communicator.members.size();
        ByteBuffer all = ByteBuffer.allocate(size * said.capacity()).order(ByteOrder.nativeOrder());
        Schedule schedule = new AllGatherSchedule(said.clear(), all, Blocks.equal(size, said.capacity()));
        ScheduleRun run = engine.runs().beginBefore(communicator, schedule, operation, FIRST_TAG + round);
        engine.progress().await(run);
        if (run.failure() != ErrorClass.SUCCESS) {
            discard(null, mine);
            // The operation that they were to share it for takes its number all the same.
            communicator.collectiveSequence++;
            throw engine.faults().ofCollective(communicator, operation, run.failure());
        }
        return all;
    }

    /** Of the same processes: one that took over a slot was no part of what the one before had. */
    private Idle takeIdle(ProcessId[] processes) {
        for (int i = idle.size() - 1; i >= 0; i--) {
            if (!areReached(idle.get(i).processes)) {
                forget(idle.remove(i).host);
            }
        }
        for (int i = 0; i < idle.size(); i++) {
            if (Arrays.equals(idle.get(i).processes, processes)) {
                return idle.remove(i);
            }
        }
        return null;
    }

    private void putIdle(Idle used) {
        idle.add(used);
        if (idle.size() > MOST_IDLE) {
            forget(idle.remove(0).host);
        }
    }

    void freed(CommunicatorState communicator) {
        HostCollective host = communicator.host;
        communicator.host = null;
        communicator.hostIsDecided = true;
        if (host == null) {
            return;
        }
        if (host.spoiltBy() == null && ScheduleRuns.verdict(communicator) == ErrorClass.SUCCESS) {
            putIdle(new Idle(processes(communicator), host));
        } else {
            forget(host);
        }
    }

    private void forget(HostCollective host) {
        sleep.remove(host.group());
        host.group().discard();
    }
}
