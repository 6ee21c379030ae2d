package examples.boost;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A regression tree: node 0 is the root, the children of node i are 2 i + 1 (below the cut) and 2 i + 2. */
final class Tree {
    private static final int LEAF = -1;

    private static final int NODES = (1 << Forest.DEPTH + 1) - 1;

    static final int BYTES = NODES * (Byte.BYTES + Double.BYTES);

    private final int[] feature = new int[NODES];
    /** Per node, the cut if the node is split, and the value if it is a leaf. */
    private final double[] number = new double[NODES];

    /** Makes a tree that is one leaf of value 0. */
    Tree() {
        Arrays.fill(feature, LEAF);
    }

    void split(int node, int byFeature, double cut) {
        feature[node] = byFeature;
        number[node] = cut;
    }

    void setLeaf(int node, double value) {
        feature[node] = LEAF;
        number[node] = value;
    }

    double predict(Masses masses, int mass) {
        int node = 0;
        while (feature[node] != LEAF) {
            node = 2 * node + (masses.measure(mass, feature[node]) < number[node] ? 1 : 2);
        }
        return number[node];
    }

    void writeTo(ByteBuffer out) {
        for (int node = 0; node < feature.length; node++) {
            out.put((byte) feature[node]).putDouble(number[node]);
        }
    }

    static Tree readFrom(ByteBuffer in) {
        Tree tree = new Tree();
        for (int node = 0; node < tree.feature.length; node++) {
            tree.feature[node] = in.get();
            tree.number[node] = in.getDouble();
        }
        return tree;
    }
}
