package examples.soak;

import java.util.Arrays;
import mpi.MPI;

/**
 * The steps that consist of one collective call. Every rank can compute the contributions of all ranks, and so the
 * right result. Sums of whole numbers wrap, and do not depend on the order of their addends.
 */
final class CollectiveSteps {
    private static final int KINDS = 12;
    private static final int[] COUNTS = {0, 1, 1, 3, 17, 200, 200, 1000, 5000, 20_000};
    private static final long GARBAGE = 0x5A5A5A5A5A5A5A5AL;

    private final RankStatus status;

    CollectiveSteps(RankStatus status) {
        this.status = status;
    }

    void run(Scope scope, Step step) {
        int kind = step.draw(KINDS);
        int count = COUNTS[step.draw(COUNTS.length)];
        int root = step.draw(scope.size);
        switch (kind) {
            case 0 -> barrier(scope);
            case 1 -> broadcast(scope, step, count, root);
            case 2 -> gather(scope, step, count, root);
            case 3 -> scatter(scope, step, count, root);
            case 4 -> allGather(scope, step, count);
            case 5 -> allGatherOfParts(scope, step);
            case 6 -> allToAll(scope, step, count);
            case 7 -> reduce(scope, step, count, root);
            case 8 -> allReduce(scope, step, count);
            case 9 -> reduceScatter(scope, step, count);
            case 10 -> scan(scope, step, count);
            default -> exclusiveScan(scope, step, count);
        }
    }

    private void barrier(Scope scope) {
        status.enter(SoakCall.BARRIER);
        scope.comm.barrier();
        status.leave();
    }

    private void broadcast(Scope scope, Step step, int count, int root) {
        long[] data = scope.rank == root ? own(scope, step, root, count) : garbage(count);
        status.enter(SoakCall.BCAST);
        scope.comm.bcast(data, count, MPI.LONG, root);
        status.leave();
        require(own(scope, step, root, count), data, "bcast", scope, step);
    }

    private void gather(Scope scope, Step step, int count, int root) {
        boolean isRoot = scope.rank == root;
        long[] data = own(scope, step, scope.rank, count);
        long[] all = isRoot ? garbage(count * scope.size) : null;
        status.enter(SoakCall.GATHER);
        scope.comm.gather(data, count, MPI.LONG, all, count, MPI.LONG, root);
        status.leave();
        if (isRoot) {
            require(all(scope, step, count), all, "gather", scope, step);
        }
    }

    private void scatter(Scope scope, Step step, int count, int root) {
        long[] all = scope.rank == root ? all(scope, step, count) : null;
        long[] data = garbage(count);
        status.enter(SoakCall.SCATTER);
        scope.comm.scatter(all, count, MPI.LONG, data, count, MPI.LONG, root);
        status.leave();
        require(own(scope, step, scope.rank, count), data, "scatter", scope, step);
    }

    private void allGather(Scope scope, Step step, int count) {
        long[] data = own(scope, step, scope.rank, count);
        long[] all = garbage(count * scope.size);
        status.enter(SoakCall.ALL_GATHER);
        scope.comm.allGather(data, count, MPI.LONG, all, count, MPI.LONG);
        status.leave();
        require(all(scope, step, count), all, "allGather", scope, step);
    }

    /** Gathers parts whose lengths are drawn per member; parts may be empty. */
    private void allGatherOfParts(Scope scope, Step step) {
        int[] counts = new int[scope.size];
        int[] places = new int[scope.size];
        int total = 0;
        for (int member = 0; member < scope.size; member++) {
            counts[member] = COUNTS[step.draw(COUNTS.length)];
            places[member] = total;
            total += counts[member];
        }
        long[] expected = new long[total];
        for (int member = 0; member < scope.size; member++) {
            System.arraycopy(own(scope, step, member, counts[member]), 0, expected, places[member], counts[member]);
        }
        long[] data = own(scope, step, scope.rank, counts[scope.rank]);
        long[] all = garbage(total);
        status.enter(SoakCall.ALL_GATHERV);
        scope.comm.allGatherv(data, data.length, MPI.LONG, all, counts, places, MPI.LONG);
        status.leave();
        require(expected, all, "allGatherv", scope, step);
    }

    private void allToAll(Scope scope, Step step, int count) {
        long[] out = new long[count * scope.size];
        long[] expected = new long[count * scope.size];
        for (int other = 0; other < scope.size; other++) {
            for (int i = 0; i < count; i++) {
                out[other * count + i] = Pattern.word(between(scope, step, scope.rank, other), i);
                expected[other * count + i] = Pattern.word(between(scope, step, other, scope.rank), i);
            }
        }
        long[] in = garbage(count * scope.size);
        status.enter(SoakCall.ALL_TO_ALL);
        scope.comm.allToAll(out, count, MPI.LONG, in, count, MPI.LONG);
        status.leave();
        require(expected, in, "allToAll", scope, step);
    }

    private void reduce(Scope scope, Step step, int count, int root) {
        long[] data = own(scope, step, scope.rank, count);
        long[] sum = garbage(count);
        status.enter(SoakCall.REDUCE);
        scope.comm.reduce(data, sum, count, MPI.LONG, MPI.SUM, root);
        status.leave();
        require(scope.rank == root ? sum(scope, step, count, scope.size) : garbage(count), sum, "reduce", scope, step);
    }

    private void allReduce(Scope scope, Step step, int count) {
        long[] data = own(scope, step, scope.rank, count);
        long[] sum = garbage(count);
        status.enter(SoakCall.ALL_REDUCE);
        scope.comm.allReduce(data, sum, count, MPI.LONG, MPI.SUM);
        status.leave();
        require(sum(scope, step, count, scope.size), sum, "allReduce", scope, step);
    }

    private void reduceScatter(Scope scope, Step step, int count) {
        long[] data = own(scope, step, scope.rank, count * scope.size);
        long[] part = garbage(count);
        status.enter(SoakCall.REDUCE_SCATTER);
        scope.comm.reduceScatterBlock(data, part, count, MPI.LONG, MPI.SUM);
        status.leave();
        long[] sum = sum(scope, step, count * scope.size, scope.size);
        long[] expected = Arrays.copyOfRange(sum, scope.rank * count, (scope.rank + 1) * count);
        require(expected, part, "reduceScatterBlock", scope, step);
    }

    private void scan(Scope scope, Step step, int count) {
        long[] data = own(scope, step, scope.rank, count);
        long[] sum = garbage(count);
        status.enter(SoakCall.SCAN);
        scope.comm.scan(data, sum, count, MPI.LONG, MPI.SUM);
        status.leave();
        require(sum(scope, step, count, scope.rank + 1), sum, "scan", scope, step);
    }

    private void exclusiveScan(Scope scope, Step step, int count) {
        long[] data = own(scope, step, scope.rank, count);
        long[] sum = garbage(count);
        status.enter(SoakCall.EX_SCAN);
        scope.comm.exScan(data, sum, count, MPI.LONG, MPI.SUM);
        status.leave();
        require(scope.rank == 0 ? garbage(count) : sum(scope, step, count, scope.rank), sum, "exScan", scope, step);
    }

    /** The contribution of a member. */
    private static long[] own(Scope scope, Step step, int member, int count) {
        long key = step.key(scope, scope.slot(member));
        long[] data = new long[count];
        for (int i = 0; i < count; i++) {
            data[i] = Pattern.word(key, i);
        }
        return data;
    }

    private static long between(Scope scope, Step step, int from, int to) {
        return step.key(scope, Mix.of(scope.slot(from), scope.slot(to)));
    }

    private static long[] all(Scope scope, Step step, int count) {
        long[] all = new long[count * scope.size];
        for (int member = 0; member < scope.size; member++) {
            System.arraycopy(own(scope, step, member, count), 0, all, member * count, count);
        }
        return all;
    }

    private static long[] sum(Scope scope, Step step, int count, int members) {
        long[] sum = new long[count];
        for (int member = 0; member < members; member++) {
            long key = step.key(scope, scope.slot(member));
            for (int i = 0; i < count; i++) {
                sum[i] += Pattern.word(key, i);
            }
        }
        return sum;
    }

    /**
     * Returns an array for a result, filled with one fixed number, which the call must overwrite or, where a rank gets
     * no result, must leave as it is.
     */
    private static long[] garbage(int count) {
        long[] data = new long[count];
        Arrays.fill(data, GARBAGE);
        return data;
    }

    private void require(long[] expected, long[] actual, String operation, Scope scope, Step step) {
        int wrong = Arrays.mismatch(expected, actual);
        if (wrong >= 0) {
            throw new WrongValueException("element " + wrong + " of " + actual.length + " is wrong at rank "
                    + scope.rank + " after " + operation + " in " + step + " on " + scope);
        }
        status.checked(1, (long) actual.length * Long.BYTES);
    }
}
