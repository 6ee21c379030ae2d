package examples.boost;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The trees that were learned so far. As bytes, a forest is a model that can be stored, sent and compared bit by bit.
 */
public final class Forest {
    /** The most splits from the root of a tree to a leaf. */
    static final int DEPTH = 4;

    private final List<Tree> trees = new ArrayList<>();

    public int size() {
        return trees.size();
    }

    void add(Tree tree) {
        trees.add(tree);
    }

    /** The value that the last tree gives to a mass. */
    double lastSays(Masses masses, int mass) {
        return trees.get(trees.size() - 1).predict(masses, mass);
    }

    double margin(Masses masses, int mass) {
        double margin = 0;
        for (Tree tree :
                trees) { // one after the other, in the order in which they were learned, so that the bits of the sum
            // are the same
            margin += tree.predict(masses, mass);
        }
        return margin;
    }

    /** How many of the masses the trees classify rightly. */
    public int countTold(Masses masses, LossFunction loss) {
        int told = 0;
        for (int mass = 0; mass < masses.count(); mass++) {
            told += loss.isBenign(margin(masses, mass)) == masses.label(mass) > 0.5 ? 1 : 0;
        }
        return told;
    }

    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(trees.size() * Tree.BYTES);
        for (Tree tree : trees) {
            tree.writeTo(bytes);
        }
        return bytes.array();
    }

    public static Forest of(byte[] bytes) {
        Forest forest = new Forest();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            forest.add(Tree.readFrom(in));
        }
        return forest;
    }
}
