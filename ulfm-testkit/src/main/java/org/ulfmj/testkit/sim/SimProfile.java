package org.ulfmj.testkit.sim;

import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.sim.SeededRandom;

/**
 * The properties that a seed gives to a run as a whole: how fast messages and threads are, how much room a lane has,
 * how deaths become known. Some runs are fine-grained, others have almost no delays, so that each kind of race has its
 * turn.
 *
 * @param delayNs most messages between ranks take at most this long, and 200 ns
 * @param stragglerPercent of those messages that may take up to 50 times as long
 * @param callNs the most that a call costs, unless it is one of many in a row that found nothing new
 * @param callPercent of calls that cost time, so that other ranks have their turn
 * @param wakeNs the longest time between the end of a wait and the moment when its thread goes on
 * @param laneRecords frames that a data lane has room for
 * @param arrival which frames of a dead rank still arrive
 * @param newsNs the longest delay drawn between a death and the moment when another rank notices it by its connection
 * @param hostCollectivesAfter collectives on a communicator before its members share memory
 * @param segmentBytes of that memory at each rank, before it grows
 * @param pieceBytes of lent memory that are copied before other ranks may have their turn
 * @param takenBackCounts counters that a rank has for memory that it takes back; with few of them a counter often
 *     changes for another message
 * @param crowded whether ranks assume that their host has too few cores
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
    /** Which of the frames that a dead rank had under way still arrive. */
    enum Arrival {
        ALL,
        NONE,
        SOME
    }

    /** @param lending the source for the properties of lent memory, so that those change no other property */
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
                (int) chance.pick(12_288, 12_288, 16_384, 65_536),
                (int) lending.pick(64, 64, 512, 4_096, 65_536),
                (int) lending.pick(1, 2, 8),
                chance.chance(50));
    }
}
