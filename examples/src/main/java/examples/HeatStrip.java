package examples;

import java.nio.DoubleBuffer;
import mpi.MPI;

/**
 * Some rows of the plate, with one more row above and below: the nearest row of a neighbour, or the border. Rows count
 * from 1 to {@link #ROWS}, columns from 1 to {@link #COLUMNS}; around them is a border that keeps its temperature, hot
 * above and cold on the other sides.
 *
 * <p>A point's next temperature is computed from its four neighbours by one expression, so its bits are the same at any
 * rank.
 */
final class HeatStrip {
    static final int ROWS = 120;
    static final int COLUMNS = 120;
    /** How many numbers a row has: its columns, and the border on both sides. */
    static final int WIDTH = COLUMNS + 2;

    static final double HOT = 100;

    private final int first;
    private final int count;
    private DoubleBuffer now;
    private DoubleBuffer next;

    /** Makes the rows from {@code first} to {@code first + count - 1} of the cold plate. */
    HeatStrip(int first, int count) {
        this.first = first;
        this.count = count;
        now = MPI.newDoubleBuffer((count + 2) * WIDTH);
        next = MPI.newDoubleBuffer((count + 2) * WIDTH);
        if (first == 1) {
            for (int column = 1; column <= COLUMNS; column++) {
                now.put(column, HOT);
                next.put(column, HOT);
            }
        }
    }

    /** The rows of the cold plate that a rank has if this many ranks share them. */
    static HeatStrip of(int rank, int ranks) {
        return new HeatStrip(firstRow(rank, ranks), firstRow(rank + 1, ranks) - firstRow(rank, ranks));
    }

    /** The first row of a rank if this many ranks share the rows. */
    static int firstRow(int rank, int ranks) {
        return 1 + ROWS * rank / ranks;
    }

    int first() {
        return first;
    }

    int count() {
        return count;
    }

    /**
     * Returns the present temperatures from the beginning of a row to the end of the row below the strip. The row may
     * also be the one above or below the strip.
     */
    DoubleBuffer from(int row) {
        return MPI.slice(now, offset(row));
    }

    double temperature(int row, int column) {
        return now.get(offset(row) + column);
    }

    /** Computes the next temperatures of some of the rows. */
    void relax(int firstRow, int lastRow) {
        for (int row = firstRow; row <= lastRow; row++) {
            int at = offset(row);
            for (int column = 1; column <= COLUMNS; column++) {
                int point = at + column;
                double vertical = now.get(point - WIDTH) + now.get(point + WIDTH);
                double horizontal = now.get(point - 1) + now.get(point + 1);
                next.put(point, 0.25 * (vertical + horizontal));
            }
        }
    }

    /** Makes the next temperatures the present ones. */
    void turn() {
        DoubleBuffer old = now;
        now = next;
        next = old;
    }

    private int offset(int row) {
        return (row - first + 1) * WIDTH;
    }
}
