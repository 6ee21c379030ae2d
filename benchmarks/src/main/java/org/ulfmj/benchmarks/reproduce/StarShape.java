package org.ulfmj.benchmarks.reproduce;

import java.util.stream.IntStream;
import org.ulfmj.agree.tree.TreeShape;

/** A star: all other processes are children of the root. It is slow on purpose, for a negative control. */
final class StarShape implements TreeShape {
    @Override
    public int parent(int place) {
        return 0;
    }

    @Override
    public int[] children(int place, int size) {
        return place == 0 ? IntStream.range(1, size).toArray() : new int[0];
    }
}
