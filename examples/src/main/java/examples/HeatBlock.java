package examples;

import mpi.CartComm;
import mpi.MPI;

/**
 * The block of a plate that one rank of a grid has, with one more row or column at each side: the nearest of a
 * neighbour's block or, at the edge of the plate, the border, which keeps its temperature. The border above the plate
 * is hot, the others are cold.
 *
 * <p>{@link #exchange} sends the four sides to the neighbours in one neighbour collective. At the edge of the plate
 * there is no neighbour, and the collective leaves that part of {@link #around} as it is: so the border's temperature
 * is written there once, in the beginning.
 */
final class HeatBlock {
    static final int ROWS = 48;
    static final int COLUMNS = 48;
    static final double HOT = 100;

    private final int firstRow;
    private final int height;
    private final int firstColumn;
    private final int width;
    /** The lengths of the sides, in the order of the grid's neighbours: above, below, to the left, to the right. */
    private final int[] lengths;
    /** Where each side begins in {@link #sides} and in {@link #around}. */
    private final int[] starts;

    private final double[] sides;
    private final double[] around;
    private double[] now;
    private double[] next;

    /** The block that a rank of the grid has, of a plate whose temperatures are given row by row. */
    HeatBlock(CartComm grid, int rank, double[] plate) {
        int[] at = grid.getCoords(rank);
        int rowsOfGrid = grid.getTopo().getDim(0);
        int columnsOfGrid = grid.getTopo().getDim(1);
        firstRow = ROWS * at[0] / rowsOfGrid;
        height = ROWS * (at[0] + 1) / rowsOfGrid - firstRow;
        firstColumn = COLUMNS * at[1] / columnsOfGrid;
        width = COLUMNS * (at[1] + 1) / columnsOfGrid - firstColumn;
        lengths = new int[] {width, width, height, height};
        starts = new int[] {0, width, 2 * width, 2 * width + height};
        sides = new double[2 * (width + height)];
        around = new double[sides.length];
        for (int i = 0; firstRow == 0 && i < width; i++) {
            around[i] = HOT;
        }
        now = new double[(height + 2) * (width + 2)];
        next = new double[now.length];
        for (int row = 0; row < height; row++) {
            System.arraycopy(plate, (firstRow + row) * COLUMNS + firstColumn, now, cell(row, 0), width);
        }
    }

    private int cell(int row, int column) {
        return (row + 1) * (width + 2) + column + 1;
    }

    int size() {
        return height * width;
    }

    /** Exchanges the four sides of this block for those of the neighbours' blocks, in one collective. */
    void exchange(CartComm grid) {
        for (int column = 0; column < width; column++) {
            sides[starts[0] + column] = now[cell(0, column)];
            sides[starts[1] + column] = now[cell(height - 1, column)];
        }
        for (int row = 0; row < height; row++) {
            sides[starts[2] + row] = now[cell(row, 0)];
            sides[starts[3] + row] = now[cell(row, width - 1)];
        }
        grid.neighborAllToAllv(sides, lengths, starts, MPI.DOUBLE, around, lengths, starts, MPI.DOUBLE);
        for (int column = 0; column < width; column++) {
            now[cell(-1, column)] = around[starts[0] + column];
            now[cell(height, column)] = around[starts[1] + column];
        }
        for (int row = 0; row < height; row++) {
            now[cell(row, -1)] = around[starts[2] + row];
            now[cell(row, width)] = around[starts[3] + row];
        }
    }

    /** Each point takes the mean of its four neighbours, by one expression: its bits are the same at any rank. */
    void relax() {
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                double vertical = now[cell(row - 1, column)] + now[cell(row + 1, column)];
                double horizontal = now[cell(row, column - 1)] + now[cell(row, column + 1)];
                next[cell(row, column)] = 0.25 * (vertical + horizontal);
            }
        }
        double[] old = now;
        now = next;
        next = old;
    }

    /** The temperatures of the block, row by row. */
    double[] temperatures() {
        double[] own = new double[size()];
        for (int row = 0; row < height; row++) {
            System.arraycopy(now, cell(row, 0), own, row * width, width);
        }
        return own;
    }

    /** Writes temperatures of this block, which {@link #temperatures} gave at its rank, to their place in the plate. */
    void place(double[] temperatures, int start, double[] plate) {
        for (int row = 0; row < height; row++) {
            System.arraycopy(temperatures, start + row * width, plate, (firstRow + row) * COLUMNS + firstColumn, width);
        }
    }
}
