package examples;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Copies of the plate in memory: each rank keeps its own rows, and those of its left neighbour. All rows survive as
 * long as one of each two neighbours in the ring is left.
 *
 * <p>A new copy is made beside the last one, which is given up only when all ranks have the new one. So all rows of
 * some step are left when one rank dies, also while a copy other than the first is being made.
 */
final class BuddyCopies {
    private static final int COPY = 3;
    /** How many numbers describe a piece: its step, its first row and its number of rows. */
    private static final int DESCRIPTION = 3;
    /**
     * How many pieces a rank has: its own rows and its neighbour's, both of the last complete copy and of the copy that
     * is being made.
     */
    private static final int PIECES = 4;

    private static final Piece NONE = new Piece(0, 1, 0, MPI.newDoubleBuffer(0));

    private Piece[] complete = {NONE, NONE};
    private Piece[] coming = {NONE, NONE};

    /** Some consecutive rows of the plate, with their temperatures after a step. */
    private record Piece(int step, int first, int count, DoubleBuffer temperatures) {
        static Piece empty(int step, int rank, int ranks) {
            int first = HeatStrip.firstRow(rank, ranks);
            int count = HeatStrip.firstRow(rank + 1, ranks) - first;
            return new Piece(step, first, count, MPI.newDoubleBuffer(count * HeatStrip.WIDTH));
        }

        int length() {
            return count * HeatStrip.WIDTH;
        }

        DoubleBuffer from(int row) {
            return MPI.slice(temperatures, (row - first) * HeatStrip.WIDTH);
        }
    }

    /** The rows that a rank has after a recovery, with the step to which they belong. */
    record Restored(int step, HeatStrip strip) {}

    /** Copies the rows of all ranks. Collective. */
    void save(Intracomm comm, int step, HeatStrip strip) {
        int rank = comm.getRank();
        int ranks = comm.getSize();
        int left = (rank + ranks - 1) % ranks;
        Piece own = Piece.empty(step, rank, ranks);
        own.temperatures().put(0, strip.from(strip.first()), 0, own.length());
        Piece neighbours = Piece.empty(step, left, ranks);
        coming = new Piece[] {own, NONE};
        comm.sendRecv(
                own.temperatures(),
                own.length(),
                MPI.DOUBLE,
                (rank + 1) % ranks,
                COPY,
                neighbours.temperatures(),
                neighbours.length(),
                MPI.DOUBLE,
                left,
                COPY);
        coming = new Piece[] {own, neighbours};
        // A rank that leaves the barrier knows that all ranks have the new copy. Only then does it give up the old one.
        comm.barrier();
        complete = coming;
        coming = new Piece[] {NONE, NONE};
    }

    /**
     * Goes back to the newest step whose rows are all left, and divides those rows among the ranks that are left. Step
     * 0 if there is no such step. Collective.
     */
    Restored restore(Intracomm comm) {
        int[] table = new int[comm.getSize() * PIECES * DESCRIPTION];
        comm.allGather(describe(), PIECES * DESCRIPTION, MPI.INT, table, PIECES * DESCRIPTION, MPI.INT);
        int step = Arrays.stream(steps(table))
                .filter(one -> isWhole(holders(table, one)))
                .max()
                .orElse(0);
        if (step == 0) {
            return new Restored(0, HeatStrip.of(comm.getRank(), comm.getSize()));
        }
        HeatStrip strip = deal(comm, holders(table, step));
        if (coming[0].step() == step) {
            complete = coming;
        }
        return new Restored(step, strip);
    }

    private int[] describe() {
        int[] description = new int[PIECES * DESCRIPTION];
        for (int number = 0; number < PIECES; number++) {
            Piece piece = piece(number);
            description[number * DESCRIPTION] = piece.step();
            description[number * DESCRIPTION + 1] = piece.first();
            description[number * DESCRIPTION + 2] = piece.count();
        }
        return description;
    }

    private Piece piece(int number) {
        return number < 2 ? complete[number] : coming[number - 2];
    }

    private static int[] steps(int[] table) {
        int[] steps = new int[table.length / DESCRIPTION];
        Arrays.setAll(steps, entry -> table[entry * DESCRIPTION]);
        return steps;
    }

    /**
     * Returns, for each row, the number of the first piece in the table that holds the row as it was after the step; −1
     * if none does.
     */
    private static int[] holders(int[] table, int step) {
        int[] holders = new int[HeatStrip.ROWS + 1];
        Arrays.fill(holders, -1);
        for (int entry = table.length / DESCRIPTION - 1; entry >= 0; entry--) {
            if (table[entry * DESCRIPTION] == step) {
                int first = table[entry * DESCRIPTION + 1];
                Arrays.fill(holders, first, first + table[entry * DESCRIPTION + 2], entry);
            }
        }
        return holders;
    }

    private static boolean isWhole(int[] holders) {
        return Arrays.stream(holders, 1, holders.length).allMatch(entry -> entry >= 0);
    }

    /**
     * Divides the rows among the ranks. A run of rows that one piece holds and one rank needs is sent as one message,
     * also if both are at the same rank.
     */
    private HeatStrip deal(Intracomm comm, int[] holders) {
        int ranks = comm.getSize();
        int me = comm.getRank();
        HeatStrip strip = HeatStrip.of(me, ranks);
        List<Request> moves = new ArrayList<>();
        for (int target = 0; target < ranks; target++) {
            int end = HeatStrip.firstRow(target + 1, ranks);
            int row = HeatStrip.firstRow(target, ranks);
            while (row < end) {
                int first = row;
                int holder = holders[first];
                while (row < end && holders[row] == holder) {
                    row++;
                }
                int length = (row - first) * HeatStrip.WIDTH;
                if (target == me) {
                    moves.add(comm.iRecv(strip.from(first), length, MPI.DOUBLE, holder / PIECES, first));
                }
                if (holder / PIECES == me) {
                    DoubleBuffer rows = piece(holder % PIECES).from(first);
                    moves.add(comm.iSend(rows, length, MPI.DOUBLE, target, first));
                }
            }
        }
        Request.waitAll(moves.toArray(new Request[0]));
        return strip;
    }
}
