package org.ulfmj.testkit;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;

/**
 * All collective operations of an inter-communicator, with each rank of either group as the root, as one rank calls
 * them: the data that the rank sends, and what its receive buffer must hold in the end. Places of the buffer that no
 * data belongs to must keep {@link #BLANK}.
 */
final class IntercommCases {
    static final int BLANK = -7;

    /**
     * One collective call, in its blocking and its non-blocking form. {@code send} or {@code expected} is null where
     * this rank's role in the call uses no such buffer.
     */
    record Case(
            String name,
            int[] send,
            int[] expected,
            BiConsumer<IntBuffer, IntBuffer> blocking,
            BiFunction<IntBuffer, IntBuffer, Request> started) {
        IntBuffer sent() {
            return send == null ? null : Programs.ints(send);
        }

        IntBuffer received() {
            return expected == null ? null : Programs.ints(blank(expected.length));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Keeps the items of the lower rank: associative, and wrong as soon as two operands are exchanged. */
    private static final class Left extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
            inOut.put(0, in, 0, 4 * count);
        }
    }

    private final Intercomm inter;
    private final int count;
    private final int rank;
    private final int local;
    private final int remote;
    /** The rank in COMM_WORLD of the first rank of the own group; {@code remoteBase} is that of the other group. */
    private final int localBase;

    private final int remoteBase;
    private final List<Case> cases = new ArrayList<>();

    /** @param first how many ranks of the world are in the first group; the others are in the second group */
    private IntercommCases(Intercomm inter, int first, int count) {
        this.inter = inter;
        this.count = count;
        rank = inter.getRank();
        local = inter.getSize();
        remote = inter.getRemoteSize();
        boolean isFirst = MPI.COMM_WORLD.getRank() < first;
        localBase = isFirst ? 0 : first;
        remoteBase = isFirst ? first : 0;
    }

    /** Makes an inter-communicator whose groups are the first {@code first} ranks of the world and the other ones. */
    static Intercomm between(int first) {
        int rank = MPI.COMM_WORLD.getRank();
        Intracomm group = MPI.COMM_WORLD.split(rank < first ? 0 : 1, rank);
        MPI.COMM_WORLD.barrier(); // else a rank whose split failed would keep its group waiting
        return MPI.COMM_WORLD.createIntercomm(group, 0, rank < first ? first : 0, 3);
    }

    static List<Case> all(Intercomm inter, int first, int count) {
        IntercommCases all = new IntercommCases(inter, first, count);
        for (int root = 0; root < all.local + all.remote; root++) {
            all.addRooted(root);
        }
        all.addGathers();
        all.addExchanges();
        all.addReductions();
        return all.cases;
    }

    static int[] blank(int length) {
        int[] values = new int[length];
        Arrays.fill(values, BLANK);
        return values;
    }

    /** Returns item {@code i} of the data that a rank of the world sends in these cases. */
    static int item(int worldRank, int i) {
        return (worldRank + 1) * 7 + i * 3;
    }

    private static int[] items(int worldRank, int from, int count) {
        return IntStream.range(from, from + count).map(i -> item(worldRank, i)).toArray();
    }

    private int[] remoteSums(int from, int length) {
        return IntStream.range(from, from + length)
                .map(i -> IntStream.range(0, remote)
                        .map(r -> item(remoteBase + r, i))
                        .sum())
                .toArray();
    }

    private int[] own(int length) {
        return items(localBase + rank, 0, length);
    }

    private void add(
            String name,
            int[] send,
            int[] expected,
            BiConsumer<IntBuffer, IntBuffer> blocking,
            BiFunction<IntBuffer, IntBuffer, Request> started) {
        cases.add(new Case(name + " of " + count, send, expected, blocking, started));
    }

    /** @param worldRoot the root's rank in the world */
    private void addRooted(int worldRoot) {
        boolean isGiven = worldRoot >= remoteBase && worldRoot < remoteBase + remote;
        boolean isRoot = worldRoot == localBase + rank;
        int root = isGiven ? worldRoot - remoteBase : isRoot ? MPI.ROOT : MPI.PROC_NULL;
        String name = " with root " + worldRoot;
        add(
                "bcast" + name,
                isRoot ? own(count) : null,
                isGiven ? items(worldRoot, 0, count) : null,
                (send, receive) -> inter.bcast(isRoot ? send : receive, count, MPI.INT, root),
                (send, receive) -> inter.iBcast(isRoot ? send : receive, count, MPI.INT, root));
        int[] gathered = isRoot ? concat(remote, r -> items(remoteBase + r, 0, count)) : null;
        add(
                "gather" + name,
                isGiven ? own(count) : null,
                gathered,
                (send, receive) -> inter.gather(send, count, MPI.INT, receive, count, MPI.INT, root),
                (send, receive) -> inter.iGather(send, count, MPI.INT, receive, count, MPI.INT, root));
        add(
                "scatter" + name,
                isRoot ? own(remote * count) : null,
                isGiven ? items(worldRoot, rank * count, count) : null,
                (send, receive) -> inter.scatter(send, count, MPI.INT, receive, count, MPI.INT, root),
                (send, receive) -> inter.iScatter(send, count, MPI.INT, receive, count, MPI.INT, root));
        int[] counts = counts(remote);
        int[] displs = displs(remote);
        int mine = counts(local)[rank];
        add(
                "gatherv" + name,
                isGiven ? own(mine) : null,
                isRoot ? placed(r -> items(remoteBase + r, 0, counts[r])) : null,
                (send, receive) -> inter.gatherv(send, mine, MPI.INT, receive, counts, displs, MPI.INT, root),
                (send, receive) -> inter.iGatherv(send, mine, MPI.INT, receive, counts, displs, MPI.INT, root));
        add(
                "scatterv" + name,
                isRoot ? own(room(remote)) : null,
                isGiven ? items(worldRoot, displs(local)[rank], mine) : null,
                (send, receive) -> inter.scatterv(send, counts, displs, MPI.INT, receive, mine, MPI.INT, root),
                (send, receive) -> inter.iScatterv(send, counts, displs, MPI.INT, receive, mine, MPI.INT, root));
        add(
                "reduce" + name,
                isGiven ? own(count) : null,
                isRoot ? remoteSums(0, count) : null,
                (send, receive) -> inter.reduce(send, receive, count, MPI.INT, MPI.SUM, root),
                (send, receive) -> inter.iReduce(send, receive, count, MPI.INT, MPI.SUM, root));
    }

    private void addGathers() {
        add(
                "allGather",
                own(count),
                concat(remote, r -> items(remoteBase + r, 0, count)),
                (send, receive) -> inter.allGather(send, count, MPI.INT, receive, count, MPI.INT),
                (send, receive) -> inter.iAllGather(send, count, MPI.INT, receive, count, MPI.INT));
        int[] counts = counts(remote);
        int[] displs = displs(remote);
        int mine = counts(local)[rank];
        add(
                "allGatherv",
                own(mine),
                placed(r -> items(remoteBase + r, 0, counts[r])),
                (send, receive) -> inter.allGatherv(send, mine, MPI.INT, receive, counts, displs, MPI.INT),
                (send, receive) -> inter.iAllGatherv(send, mine, MPI.INT, receive, counts, displs, MPI.INT));
    }

    private void addExchanges() {
        add(
                "allToAll",
                own(remote * count),
                concat(remote, r -> items(remoteBase + r, rank * count, count)),
                (send, receive) -> inter.allToAll(send, count, MPI.INT, receive, count, MPI.INT),
                (send, receive) -> inter.iAllToAll(send, count, MPI.INT, receive, count, MPI.INT));
        int[] sendCounts =
                IntStream.range(0, remote).map(r -> pairCount(rank, r)).toArray();
        int[] sendAt = IntStream.range(0, remote).map(r -> r * (count + 2)).toArray();
        int[] counts = IntStream.range(0, remote).map(r -> pairCount(r, rank)).toArray();
        int[] at = displs(remote);
        int[] expected = placed(r -> items(remoteBase + r, rank * (count + 2), counts[r]));
        add(
                "allToAllv",
                own(remote * (count + 2)),
                expected,
                (send, receive) -> inter.allToAllv(send, sendCounts, sendAt, MPI.INT, receive, counts, at, MPI.INT),
                (send, receive) -> inter.iAllToAllv(send, sendCounts, sendAt, MPI.INT, receive, counts, at, MPI.INT));
        int[] sendBytes = IntStream.of(sendAt).map(i -> 4 * i).toArray();
        int[] atBytes = IntStream.of(at).map(i -> 4 * i).toArray();
        Datatype[] types = new Datatype[remote];
        Arrays.fill(types, MPI.INT);
        add(
                "allToAllw",
                own(remote * (count + 2)),
                expected,
                (send, receive) -> inter.allToAllw(send, sendCounts, sendBytes, types, receive, counts, atBytes, types),
                (send, receive) ->
                        inter.iAllToAllw(send, sendCounts, sendBytes, types, receive, counts, atBytes, types));
    }

    /**
     * Returns how many items rank {@code from} of one group sends to rank {@code to} of the other group in the cases
     * with a count per pair: 0, count + 1 or count + 2.
     */
    private int pairCount(int from, int to) {
        return (from + to) % 3 == 0 ? 0 : count + (from + to) % 3;
    }

    private void addReductions() {
        add("barrier", null, null, (send, receive) -> inter.barrier(), (send, receive) -> inter.iBarrier());
        add(
                "allReduce",
                own(count),
                remoteSums(0, count),
                (send, receive) -> inter.allReduce(send, receive, count, MPI.INT, MPI.SUM),
                (send, receive) -> inter.iAllReduce(send, receive, count, MPI.INT, MPI.SUM));
        Op left = new Op(new Left(), false);
        add(
                "allReduce in order",
                own(count),
                items(remoteBase, 0, count),
                (send, receive) -> inter.allReduce(send, receive, count, MPI.INT, left),
                (send, receive) -> inter.iAllReduce(send, receive, count, MPI.INT, left));
        int each = remote * count;
        add(
                "reduceScatterBlock",
                own(local * each),
                remoteSums(rank * each, each),
                (send, receive) -> inter.reduceScatterBlock(send, receive, each, MPI.INT, MPI.SUM),
                (send, receive) -> inter.iReduceScatterBlock(send, receive, each, MPI.INT, MPI.SUM));
        int[] parts = new int[local];
        Arrays.fill(parts, each);
        if (count > 0) {
            parts[0]--;
            parts[local - 1]++;
        }
        int start = IntStream.range(0, rank).map(r -> parts[r]).sum();
        add(
                "reduceScatter",
                own(local * each),
                remoteSums(start, parts[rank]),
                (send, receive) -> inter.reduceScatter(send, receive, parts, MPI.INT, MPI.SUM),
                (send, receive) -> inter.iReduceScatter(send, receive, parts, MPI.INT, MPI.SUM));
    }

    /** Returns an array of counts, one for each rank of a group of this size. */
    private int[] counts(int size) {
        return IntStream.range(0, size).map(r -> count == 0 ? 0 : count + r).toArray();
    }

    /** Returns displacements of parts in the opposite order of the ranks, with a gap behind each part. */
    private int[] displs(int size) {
        return IntStream.range(0, size).map(r -> (size - 1 - r) * part(size)).toArray();
    }

    private int part(int size) {
        return count + Math.max(size, 2) + 1;
    }

    private int room(int size) {
        return size * part(size);
    }

    private int[] placed(IntFunction<int[]> parts) {
        int[] all = blank(room(remote));
        int[] at = displs(remote);
        for (int r = 0; r < remote; r++) {
            int[] part = parts.apply(r);
            System.arraycopy(part, 0, all, at[r], part.length);
        }
        return all;
    }

    private static int[] concat(int parts, IntFunction<int[]> part) {
        return IntStream.range(0, parts)
                .mapToObj(part)
                .flatMapToInt(IntStream::of)
                .toArray();
    }
}
