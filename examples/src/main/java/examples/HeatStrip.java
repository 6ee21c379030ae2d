package examples;

import java.nio.DoubleBuffer;
import mpi.MPI;

/**
 * Some rows of the plate, and one more above and below: the neighbours' nearest rows, or the border. Rows count from 1
 * to {@link #ROWS}, columns from 1 to {@link #COLUMNS}; around them is a border that keeps its temperature, hot above
 * and cold on the other sides.
 *
 * <p>A point's next temperature is one expression of its four neighbours, so its bits are the same at any rank.
 */
final class HeatStrip {
    static final int ROWS = 120;
    static final int COLUMNS = 120;
    /** Columns with the border on both sides: how many numbers a row has. */
    static final int WIDTH = COLUMNS + 2;

    static final double HOT = 100;

    private final int first;
    private final int count;
    private DoubleBuffer now;
    private DoubleBuffer next;

    /** The cold plate's rows from {@code first} to {@code first + count - 1}. */
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

    /** The cold plate's rows of one of this many ranks. */
    static HeatStrip of(int rank, int ranks) {
        return new HeatStrip(firstRow(rank, ranks), firstRow(rank + 1, ranks) - firstRow(rank, ranks));
    }

    /** Where the rows of a rank begin, when this many share them. */
    static int firstRow(int rank, int ranks) {
        return 1 + ROWS * rank / ranks;
    }

    int first() {
        return first;
    }

    int count() {
        return count;
    }

    /** The temperatures from the beginning of a row on; also of the rows above and below those of the strip. */
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

    /** The next temperatures are those of now. */
    void turn() {
        DoubleBuffer old = now;
        now = next;
        next = old;
    }

    private int offset(int row) {
        return (row - first + 1) * WIDTH;
    }
}
