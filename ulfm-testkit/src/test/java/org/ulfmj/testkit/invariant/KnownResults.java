package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.COLLECTIVE;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Collective operations whose right result is known beforehand: the numbers that a member contributes follow from its
 * slot, the step and the place.
 */
final class KnownResults {
    private final Watch watch;
    private final Intracomm comm;
    private final Random random;
    private final int[] slots;
    private final int rank;
    private final int count;
    private final int step;

    KnownResults(Watch watch, Intracomm comm, int step, Random random) {
        this.watch = watch;
        this.comm = comm;
        this.step = step;
        this.random = random;
        this.slots = Watch.slots(comm);
        this.rank = comm.getRank();
        this.count = new int[] {1, 7, 700, 5000}[random.nextInt(4)];
    }

    void anyCollective() {
        int size = slots.length;
        int root = random.nextInt(100) % size;
        switch (random.nextInt(8)) {
            case 0 ->
                check(
                        "bcast",
                        rank == root ? own(root) : new long[count],
                        own(root),
                        to -> comm.bcast(to, count, MPI.LONG, root));
            case 1 ->
                check(
                        "allReduce",
                        new long[count],
                        sum(size),
                        to -> comm.allReduce(own(rank), to, count, MPI.LONG, MPI.SUM));
            case 2 ->
                check(
                        "reduce",
                        new long[count],
                        rank == root ? sum(size) : new long[count],
                        to -> comm.reduce(own(rank), to, count, MPI.LONG, MPI.SUM, root));
            case 3 ->
                check(
                        "gather",
                        new long[size * count],
                        rank == root ? all() : new long[size * count],
                        to -> comm.gather(own(rank), count, MPI.LONG, to, count, MPI.LONG, root));
            case 4 ->
                check(
                        "scatter",
                        new long[count],
                        own(rank),
                        to -> comm.scatter(all(), count, MPI.LONG, to, count, MPI.LONG, root));
            case 5 ->
                check(
                        "allGather",
                        new long[size * count],
                        all(),
                        to -> comm.allGather(own(rank), count, MPI.LONG, to, count, MPI.LONG));
            case 6 ->
                check("scan", new long[count], sum(rank + 1), to -> comm.scan(own(rank), to, count, MPI.LONG, MPI.SUM));
            default -> check("barrier", new long[0], new long[0], to -> comm.barrier());
        }
    }

    private void check(String name, long[] target, long[] expected, Consumer<long[]> operation) {
        watch.call(name, COLLECTIVE, comm, -1, () -> operation.accept(target));
        int wrong = Arrays.mismatch(target, expected);
        watch.result(
                wrong < 0,
                () -> name + " gave " + target[wrong] + " in place " + wrong + ", right is " + expected[wrong]);
    }

    private long[] own(int member) {
        long[] data = new long[count];
        Arrays.setAll(data, i -> 1_000_003L * slots[member] + 31L * i + step);
        return data;
    }

    private long[] all() {
        long[] data = new long[slots.length * count];
        for (int member = 0; member < slots.length; member++) {
            System.arraycopy(own(member), 0, data, member * count, count);
        }
        return data;
    }

    private long[] sum(int members) {
        long[] data = new long[count];
        for (int member = 0; member < members; member++) {
            long[] own = own(member);
            Arrays.setAll(data, i -> data[i] + own[i]);
        }
        return data;
    }
}
