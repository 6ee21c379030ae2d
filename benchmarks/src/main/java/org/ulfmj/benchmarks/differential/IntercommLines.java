package org.ulfmj.benchmarks.differential;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Prints what package mpi does in collectives of inter-communicators: each rank writes lines to the file
 * DIRECTORY/RANK, in the form in which {@code intercomms.c} writes them with another MPI.
 * {@code benchmarks/differential} compares both.
 */
public final class IntercommLines {
    private static final int ROOM = 40_000;
    private static final int UNTOUCHED = -9;
    private static final int MOST_SHOWN = 40;

    private final PrintWriter out;
    private final int worldRank = MPI.COMM_WORLD.getRank();
    private final int worldSize = MPI.COMM_WORLD.getSize();
    private final int[] sent =
            IntStream.range(0, ROOM).map(i -> 1000 * worldRank + i * 7 % 1009).toArray();
    private final IntBuffer sentBuffer = IntBuffer.wrap(sent);
    private final int[] received = new int[ROOM];
    private final IntBuffer receivedBuffer = IntBuffer.wrap(received);

    private Intercomm inter;
    private int firstSize;
    private int rank;
    private int local;
    private int remote;

    private IntercommLines(PrintWriter out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        String[] arguments = MPI.Init(args);
        Path file = Path.of(arguments[0], Integer.toString(MPI.COMM_WORLD.getRank()));
        try (PrintWriter out = new PrintWriter(file.toFile())) {
            new IntercommLines(out).write();
        }
        MPI.Finalize();
    }

    private void write() {
        for (firstSize = 1; firstSize < worldSize; firstSize++) {
            boolean isFirst = worldRank < firstSize;
            Intracomm group = MPI.COMM_WORLD.split(isFirst ? 1 : 0, worldRank);
            inter = MPI.COMM_WORLD.createIntercomm(group, 0, isFirst ? firstSize : 0, 1);
            rank = inter.getRank();
            local = inter.getSize();
            remote = inter.getRemoteSize();
            for (int count : new int[] {0, 1, 3, 700}) {
                for (int root = 0; root < worldSize; root++) {
                    rooted(count, root);
                }
                gathers(count);
                exchanges(count);
                reductions(count);
            }
            inter.free();
            group.free();
        }
    }

    private int[] blank() {
        Arrays.fill(received, UNTOUCHED);
        return received;
    }

    private IntBuffer blankBuffer() {
        blank();
        return receivedBuffer;
    }

    /**
     * Writes a line about the receive buffer, up to the last item that was changed: a hash, and the items themselves if
     * they are few.
     */
    private void line(String name, int count, int root) {
        int last = ROOM;
        while (last > 0 && received[last - 1] == UNTOUCHED) {
            last--;
        }
        int hash = Arrays.hashCode(Arrays.copyOf(received, last));
        out.print(firstSize + "+" + (worldSize - firstSize) + " " + name + " " + count + " root " + root + ": " + last
                + " items, hash " + hash);
        for (int i = 0; last <= MOST_SHOWN && i < last; i++) {
            out.print(" " + received[i]);
        }
        out.print("\n");
    }

    private void finish(Request request, String name, int count, int root) {
        request.waitFor();
        line(name, count, root);
    }

    private static int partCount(int count, int of) {
        return count == 0 ? 0 : count + of % 3;
    }

    private void rooted(int count, int worldRoot) {
        boolean isMine = worldRank < firstSize == worldRoot < firstSize;
        int place = worldRoot < firstSize ? worldRoot : worldRoot - firstSize;
        int root = !isMine ? place : worldRank == worldRoot ? MPI.ROOT : MPI.PROC_NULL;
        int[] counts = IntStream.range(0, remote).map(i -> partCount(count, i)).toArray();
        int[] displs = IntStream.range(0, remote)
                .map(i -> (remote - 1 - i) * (count + 3))
                .toArray();
        int own = partCount(count, rank);

        blank();
        inter.bcast(root == MPI.ROOT ? sent : received, count, MPI.INT, root);
        line("bcast", count, worldRoot);
        blank();
        finish(
                inter.iBcast(root == MPI.ROOT ? sentBuffer : receivedBuffer, count, MPI.INT, root),
                "iBcast",
                count,
                worldRoot);
        inter.gather(sent, count, MPI.INT, blank(), count, MPI.INT, root);
        line("gather", count, worldRoot);
        finish(
                inter.iGather(sentBuffer, count, MPI.INT, blankBuffer(), count, MPI.INT, root),
                "iGather",
                count,
                worldRoot);
        inter.gatherv(sent, own, MPI.INT, blank(), counts, displs, MPI.INT, root);
        line("gatherv", count, worldRoot);
        finish(
                inter.iGatherv(sentBuffer, own, MPI.INT, blankBuffer(), counts, displs, MPI.INT, root),
                "iGatherv",
                count,
                worldRoot);
        inter.scatter(sent, count, MPI.INT, blank(), count, MPI.INT, root);
        line("scatter", count, worldRoot);
        finish(
                inter.iScatter(sentBuffer, count, MPI.INT, blankBuffer(), count, MPI.INT, root),
                "iScatter",
                count,
                worldRoot);
        inter.scatterv(sent, counts, displs, MPI.INT, blank(), own, MPI.INT, root);
        line("scatterv", count, worldRoot);
        finish(
                inter.iScatterv(sentBuffer, counts, displs, MPI.INT, blankBuffer(), own, MPI.INT, root),
                "iScatterv",
                count,
                worldRoot);
        inter.reduce(sent, blank(), count, MPI.INT, MPI.SUM, root);
        line("reduce", count, worldRoot);
        finish(inter.iReduce(sentBuffer, blankBuffer(), count, MPI.INT, MPI.MAX, root), "iReduce", count, worldRoot);
    }

    private void gathers(int count) {
        int[] counts = IntStream.range(0, remote).map(i -> partCount(count, i)).toArray();
        int[] displs = IntStream.range(0, remote)
                .map(i -> (remote - 1 - i) * (count + 3))
                .toArray();
        int own = partCount(count, rank);

        inter.allGather(sent, count, MPI.INT, blank(), count, MPI.INT);
        line("allGather", count, -1);
        finish(inter.iAllGather(sentBuffer, count, MPI.INT, blankBuffer(), count, MPI.INT), "iAllGather", count, -1);
        inter.allGatherv(sent, own, MPI.INT, blank(), counts, displs, MPI.INT);
        line("allGatherv", count, -1);
        finish(
                inter.iAllGatherv(sentBuffer, own, MPI.INT, blankBuffer(), counts, displs, MPI.INT),
                "iAllGatherv",
                count,
                -1);
    }

    private void exchanges(int count) {
        int isFirst = worldRank < firstSize ? 1 : 0;
        int[] sendCounts = IntStream.range(0, remote)
                .map(i -> partCount(count, rank + 2 * i + isFirst))
                .toArray();
        int[] counts = IntStream.range(0, remote)
                .map(i -> partCount(count, i + 2 * rank + 1 - isFirst))
                .toArray();
        int[] displs = IntStream.range(0, remote).map(i -> i * (count + 3)).toArray();
        int[] bytes = IntStream.of(displs).map(i -> i * Integer.BYTES).toArray();
        Datatype[] types = new Datatype[remote];
        Arrays.fill(types, MPI.INT);

        inter.allToAll(sent, count, MPI.INT, blank(), count, MPI.INT);
        line("allToAll", count, -1);
        finish(inter.iAllToAll(sentBuffer, count, MPI.INT, blankBuffer(), count, MPI.INT), "iAllToAll", count, -1);
        inter.allToAllv(sent, sendCounts, displs, MPI.INT, blank(), counts, displs, MPI.INT);
        line("allToAllv", count, -1);
        finish(
                inter.iAllToAllv(sentBuffer, sendCounts, displs, MPI.INT, blankBuffer(), counts, displs, MPI.INT),
                "iAllToAllv",
                count,
                -1);
        inter.allToAllw(sent, sendCounts, bytes, types, blank(), counts, bytes, types);
        line("allToAllw", count, -1);
        finish(
                inter.iAllToAllw(sentBuffer, sendCounts, bytes, types, blankBuffer(), counts, bytes, types),
                "iAllToAllw",
                count,
                -1);
    }

    private void reductions(int count) {
        int each = remote * count;
        int[] counts = new int[local];
        Arrays.fill(counts, each);
        if (count > 0) {
            counts[0]++;
            counts[local - 1]--;
        }

        inter.barrier();
        inter.iBarrier().waitFor();
        inter.allReduce(sent, blank(), count, MPI.INT, MPI.SUM);
        line("allReduce", count, -1);
        finish(inter.iAllReduce(sentBuffer, blankBuffer(), count, MPI.INT, MPI.MAX), "iAllReduce", count, -1);
        inter.reduceScatter(sent, blank(), counts, MPI.INT, MPI.SUM);
        line("reduceScatter", count, -1);
        finish(inter.iReduceScatter(sentBuffer, blankBuffer(), counts, MPI.INT, MPI.SUM), "iReduceScatter", count, -1);
        inter.reduceScatterBlock(sent, blank(), each, MPI.INT, MPI.SUM);
        line("reduceScatterBlock", count, -1);
        finish(
                inter.iReduceScatterBlock(sentBuffer, blankBuffer(), each, MPI.INT, MPI.SUM),
                "iReduceScatterBlock",
                count,
                -1);
    }
}
