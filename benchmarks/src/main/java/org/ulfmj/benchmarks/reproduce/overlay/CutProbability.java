package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Arrays;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.sim.SeededRandom;

/**
 * The probability that random failures, which no process has noticed yet, cut the survivors apart.
 *
 * <p>With fewer failures than a member has neighbours they cannot be cut apart. Otherwise the cause is almost always a
 * single member that lost all its neighbours. Such members are rare and nearly independent, so their number follows
 * Poisson's law and the probability is 1 − exp(−E), with E the expected number of such members.
 *
 * @param members of the graph
 * @param failures at random places
 * @param trials that were drawn
 * @param cuts trials with survivors that cannot reach each other
 */
record CutProbability(int members, int failures, int trials, int cuts) {
    static CutProbability sampled(int members, int failures, int trials, SeededRandom random) {
        Sample sample = new Sample(members);
        int cuts = 0;
        for (int trial = 0; trial < trials; trial++) {
            sample.fail(failures, random);
            cuts += sample.isCut() ? 1 : 0;
        }
        return new CutProbability(members, failures, trials, cuts);
    }

    double measured() {
        return (double) cuts / trials;
    }

    /** The predicted probability, 1 − exp(−E). */
    double predicted() {
        return -Math.expm1(-isolatedToExpect());
    }

    /** The standard deviation of {@link #measured} if {@link #predicted} is the truth. */
    double sigma() {
        return Math.sqrt(predicted() * (1 - predicted()) / trials);
    }

    /** The distance between {@link #measured} and {@link #predicted}, in standard deviations. */
    double deviation() {
        return Math.abs(measured() - predicted()) / sigma();
    }

    /** E: members times the probability that a member survives while all its neighbours have failed. */
    double isolatedToExpect() {
        int degree = BinomialGraph.neighbours(0, members).length;
        double probability = (double) (members - failures) / members;
        for (int i = 0; i < degree; i++) {
            probability *= (double) (failures - i) / (members - 1 - i);
        }
        return members * probability;
    }

    /** Draws samples of failed members, one after the other, in the same memory. */
    private static final class Sample {
        private final int[][] neighbours;
        private final int[] order;
        private final int[] stack;
        private final boolean[] gone;
        private int failures;

        Sample(int members) {
            neighbours = new int[members][];
            order = new int[members];
            for (int member = 0; member < members; member++) {
                neighbours[member] = BinomialGraph.neighbours(member, members);
                order[member] = member;
            }
            stack = new int[members];
            gone = new boolean[members];
        }

        /** Lets {@code count} random members fail: the first ones of a shuffle. */
        void fail(int count, SeededRandom random) {
            Arrays.fill(gone, false);
            failures = count;
            for (int i = 0; i < count; i++) {
                int other = i + random.below(order.length - i);
                int member = order[other];
                order[other] = order[i];
                order[i] = member;
                gone[member] = true;
            }
        }

        /** Whether a walk from one survivor misses some other survivor. Marks the visited members in {@link #gone}. */
        boolean isCut() {
            int survivors = order.length - failures;
            if (survivors == 0) {
                return false;
            }
            int first = order[failures];
            int depth = 0;
            int reached = 1;
            stack[depth++] = first;
            gone[first] = true;
            while (depth > 0) {
                for (int neighbour : neighbours[stack[--depth]]) {
                    if (!gone[neighbour]) {
                        gone[neighbour] = true;
                        reached++;
                        stack[depth++] = neighbour;
                    }
                }
            }
            return reached < survivors;
        }
    }
}
