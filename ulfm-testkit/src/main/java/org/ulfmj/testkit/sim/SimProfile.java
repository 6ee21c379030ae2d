package org.ulfmj.testkit.sim;

import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.sim.SeededRandom;

/**
 * What a seed says of a run as a whole: how fast messages and threads are, how much room a lane has, how deaths become
 * known. Some runs are fine-grained, others have no delays to speak of, so that each kind of race has its turn.
 *
 * @param delayNs of most messages at most
 * @param stragglerPercent of messages that take much longer
 * @param callNs cost of a call at most
 * @param callPercent of calls that cost something, and so let others have their turn
 * @param wakeNs between the end of a wait and the moment when its thread goes on, at most
 * @param laneRecords frames that a data lane has room for
 * @param arrival of what a dead rank had under way
 * @param newsNs between a death and the moment when another rank is told, at most
 * @param hostCollectivesAfter collectives on a communicator before its members share memory
 * @param segmentBytes of that memory at each rank
 * @param pieceBytes of lent memory that are copied before others have their turn
 * @param takenBackCounts that a rank has for what it takes back: with few of them a count often changes for another
 *     message
 * @param crowded whether ranks take their host for short of cores
 */
record SimProfile(
        long delayNs,
        int stragglerPercent,
        long callNs,
        int callPercent,
        long wakeNs,
        int laneRecords,
        Arrival arrival,
        long newsNs,
        int hostCollectivesAfter,
        int segmentBytes,
        int pieceBytes,
        int takenBackCounts,
        boolean crowded) {
    /** What becomes of the frames that a dead rank had under way. */
    enum Arrival {
        ALL,
        NONE,
        SOME
    }

    /** @param lending another source, so that what it says of lent memory changes nothing else */
    static SimProfile of(SeededRandom chance, SeededRandom lending) {
        return new SimProfile(
                chance.pick(2_000, 20_000, 200_000, 2_000_000),
                (int) chance.pick(0, 0, 2, 10),
                chance.pick(200, 2_000, 20_000),
                (int) chance.pick(5, 10, 50),
                chance.pick(500, 5_000, 50_000),
                (int) chance.pick(1024, 1024, 64, 8, 2, 1),
                Arrival.values()[chance.below(Arrival.values().length)],
                chance.pick(1_000, 100_000, 5_000_000, 50_000_000),
                (int) chance.pick(0, 0, 0, 1, 4, RankSettings.NEVER),
                (int) chance.pick(8_192, 8_192, 16_384, 65_536),
                (int) lending.pick(64, 64, 512, 4_096, 65_536),
                (int) lending.pick(1, 2, 8),
                chance.chance(50));
    }
}
