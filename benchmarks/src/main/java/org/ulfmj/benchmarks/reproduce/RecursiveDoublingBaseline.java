package org.ulfmj.benchmarks.reproduce;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A small allreduce without failure handling, of which only the messages are modelled, and no values: in round k every
 * rank below the largest power of two that is not above the number of ranks exchanges its value with the rank whose
 * number differs in bit k. A rank from that power on first gives its value to a partner, and at the end gets the result
 * from that partner.
 */
final class RecursiveDoublingBaseline {
    /** A message of one call, to another rank's part in the same collective. */
    record Exchange(RecursiveDoublingBaseline collective, int call, int round) {}

    private static final int FOLD = 62;
    private static final int RESULT = 63;

    private final LogPWorld<Object> network;
    private final IntConsumer done;
    private final int power;
    private final int ranks;

    private final int[] call;
    private final int[] round;

    /**
     * Per parity of the call's number and per rank, a bit for each round whose message has come and was not taken yet.
     * Two parities are enough, as a peer is at most one call ahead.
     */
    private final long[][] arrived;

    /** @param done called at a rank when that rank has its result; it may start the next call */
    RecursiveDoublingBaseline(int ranks, LogPWorld<Object> network, IntConsumer done) {
        this.ranks = ranks;
        this.power = Integer.highestOneBit(ranks);
        this.network = network;
        this.done = done;
        this.call = new int[ranks];
        this.round = new int[ranks];
        this.arrived = new long[2][ranks];
        Arrays.fill(round, RESULT + 1);
    }

    /** How many calls a rank has begun. */
    int calls(int rank) {
        return call[rank];
    }

    /** Begins the next call of a rank, which runs now. */
    void start(int rank) {
        call[rank]++;
        if (rank >= power) {
            round[rank] = RESULT;
            send(rank, rank - power, FOLD);
        } else {
            round[rank] = rank + power < ranks ? FOLD : 0;
            sendOfRound(rank);
        }
        advance(rank);
    }

    void receive(int rank, Exchange exchange) {
        arrived[exchange.call() & 1][rank] |= 1L << exchange.round();
        if (exchange.call() == call[rank]) {
            advance(rank);
        }
    }

    private void advance(int rank) {
        while (round[rank] <= RESULT && takeArrived(rank)) {
            round[rank] = round[rank] == FOLD ? 0 : round[rank] + 1;
            sendOfRound(rank);
        }
    }

    private boolean takeArrived(int rank) {
        long[] ofCall = arrived[call[rank] & 1];
        long bit = 1L << round[rank];
        boolean isThere = (ofCall[rank] & bit) != 0;
        ofCall[rank] &= ~bit;
        return isThere;
    }

    /** Sends the message of the round that begins. After the last round, ends the call. */
    private void sendOfRound(int rank) {
        int now = round[rank];
        if (now == FOLD) {
            return;
        }
        if (rank < power && 1 << now < power) {
            send(rank, rank ^ (1 << now), now);
            return;
        }
        if (rank + power < ranks) {
            send(rank, rank + power, RESULT);
        }
        round[rank] = RESULT + 1;
        done.accept(rank);
    }

    private void send(int rank, int to, int inRound) {
        network.send(to, new Exchange(this, call[rank], inRound));
    }
}
