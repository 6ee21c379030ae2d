package examples.boost;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Grows trees from the masses of one shard. From the other shards it needs only sums of gradient and hessian, for each
 * node of a level, feature and bin. With the sums of the whole table every shard finds the same splits.
 */
public final class Grower {
    private static final double RATE = 0.1;
    /** Is added to the sum of hessians, so that leaves with few masses get small values. */
    private static final double DAMPING = 1;

    private static final double LEAST_HESSIAN = 1e-3;
    private static final double LEAST_GAIN = 1e-9;
    /** How many sums there are per bin: of gradients and of hessians. */
    private static final int SUMS = 2;

    private static final int SUMS_OF_NODE = Masses.FEATURES * Cuts.BINS * SUMS;

    private final Masses masses;
    private final LossFunction loss;
    private final Cuts cuts;
    private final byte[] bins;
    private final double[] margins;
    private final double[] gradients;
    private final double[] hessians;
    /** The node of each mass in the tree that grows. */
    private final int[] nodes;

    public Grower(Masses masses, LossFunction loss, Cuts cuts) {
        this.masses = masses;
        this.loss = loss;
        this.cuts = cuts;
        this.bins = cuts.binsOf(masses);
        this.margins = new double[masses.count()];
        this.gradients = new double[masses.count()];
        this.hessians = new double[masses.count()];
        this.nodes = new int[masses.count()];
    }

    /** Sets the margins of this shard's masses by trees that were grown before, or elsewhere. */
    public void goOnFrom(Forest forest) {
        Arrays.setAll(margins, mass -> forest.margin(masses, mass));
    }

    /**
     * Adds the next tree.
     *
     * @param addUp replaces an array by the sum of the arrays of all shards; called once per level, up to the first
     *     level without a split
     */
    public void growOn(Forest forest, Consumer<double[]> addUp) {
        for (int mass = 0; mass < margins.length; mass++) {
            gradients[mass] = loss.gradient(margins[mass], masses.label(mass));
            hessians[mass] = loss.hessian(margins[mass]);
        }
        Arrays.fill(nodes, 0);
        Tree tree = new Tree();
        boolean isSplit = true;
        for (int level = 0; level < Forest.DEPTH && isSplit; level++) {
            double[] sums = sumsOf(level);
            addUp.accept(sums);
            isSplit = settle(level, sums, tree);
        }
        forest.add(tree);
        for (int mass = 0; mass < margins.length; mass++) {
            margins[mass] += forest.lastSays(masses, mass);
        }
    }

    private static int firstOf(int level) {
        return (1 << level) - 1;
    }

    private double[] sumsOf(int level) {
        int first = firstOf(level);
        double[] sums = new double[(first + 1) * SUMS_OF_NODE];
        for (int mass = 0; mass < nodes.length; mass++) {
            if (nodes[mass] < first) {
                continue; // the mass is in a leaf of a higher level
            }
            int ofNode = (nodes[mass] - first) * SUMS_OF_NODE;
            for (int feature = 0; feature < Masses.FEATURES; feature++) {
                int at = ofNode + (feature * Cuts.BINS + bins[mass * Masses.FEATURES + feature]) * SUMS;
                sums[at] += gradients[mass];
                sums[at + 1] += hessians[mass];
            }
        }
        return sums;
    }

    /**
     * Splits each node of a level for which {@link Split#bestOf} finds a split. The node's children are leaves until
     * they are split too. Returns whether a node was split.
     */
    private boolean settle(int level, double[] sums, Tree tree) {
        boolean isSplit = false;
        int first = firstOf(level);
        for (int node = first; node < 2 * first + 1; node++) {
            Split best = Split.bestOf(sums, (node - first) * SUMS_OF_NODE);
            if (best != null) {
                tree.split(node, best.feature(), cuts.cut(best.feature(), best.bin()));
                tree.setLeaf(2 * node + 1, leafValue(best.below()));
                tree.setLeaf(2 * node + 2, leafValue(best.above()));
                moveDown(node, best);
                isSplit = true;
            }
        }
        return isSplit;
    }

    private void moveDown(int node, Split split) {
        for (int mass = 0; mass < nodes.length; mass++) {
            if (nodes[mass] == node) {
                boolean isBelow = bins[mass * Masses.FEATURES + split.feature()] <= split.bin();
                nodes[mass] = 2 * node + (isBelow ? 1 : 2);
            }
        }
    }

    private static double leafValue(Sums sums) {
        return -RATE * sums.gradient() / (sums.hessian() + DAMPING);
    }

    /** Sums of gradient and hessian over some masses of a node. */
    private record Sums(double gradient, double hessian) {
        static final Sums NONE = new Sums(0, 0);

        Sums plusBin(double[] sums, int at) {
            return new Sums(gradient + sums[at], hessian + sums[at + 1]);
        }

        Sums minus(Sums some) {
            return new Sums(gradient - some.gradient, hessian - some.hessian);
        }

        double score() {
            return gradient * gradient / (hessian + DAMPING);
        }
    }

    /** A split of a node at the cut after a bin of a feature, with the sums on either side of the cut. */
    private record Split(int feature, int bin, Sums below, Sums above) {
        /**
         * The split with the greatest gain among those with enough hessian on both sides, and the first of equal ones;
         * null if none of them has a gain above {@code LEAST_GAIN}.
         */
        static Split bestOf(double[] sums, int ofNode) {
            Split best = null;
            double most = LEAST_GAIN;
            for (int feature = 0; feature < Masses.FEATURES; feature++) {
                int at = ofNode + feature * Cuts.BINS * SUMS;
                Sums all = Sums.NONE;
                for (int bin = 0; bin < Cuts.BINS; bin++) {
                    all = all.plusBin(sums, at + bin * SUMS);
                }
                Sums below = Sums.NONE;
                for (int bin = 0; bin < Cuts.BINS - 1; bin++) {
                    below = below.plusBin(sums, at + bin * SUMS);
                    Sums above = all.minus(below);
                    double gain = below.score() + above.score() - all.score();
                    if (gain > most && below.hessian() > LEAST_HESSIAN && above.hessian() > LEAST_HESSIAN) {
                        most = gain;
                        best = new Split(feature, bin, below, above);
                    }
                }
            }
            return best;
        }
    }
}
