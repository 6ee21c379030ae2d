package org.ulfmj.testkit;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;
import mpi.UserFunction;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A program that draws for each collective call the kind, the communicator, the root, the length, the kind of buffer, a
 * type with gaps or without, and whether the call is blocking. Several calls may be under way, and one of the operators
 * makes MPI calls. After each call that succeeds its receive buffer must hold the right result, and otherwise be
 * unchanged. Public, since the worlds of mutants call it.
 */
public final class CollectivesInTurnStory {
    private static final int OPERATIONS = 40;
    private static final int KINDS = 15;
    private static final int[] COUNTS = {0, 1, 2, 5, 40, 300, 3000, 9000};
    /**
     * The value of all elements of a buffer before the program fills some. In a receive buffer the elements between
     * items and parts must keep it.
     */
    private static final int UNTOUCHED = -5;

    private final long seed;

    private CollectivesInTurnStory(long seed) {
        this.seed = seed;
    }

    /**
     * Runs the seeds {@code first} to {@code last}. Returns what was wrong with the first seed that failed, or an empty
     * text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        for (long seed = first; seed <= last; seed++) {
            SimWorld world = SimWorld.of(ranks);
            if (seed % 2 == 0) {
                world.hosts(HostsStory.hosts(seed));
            }
            String wrong = Stories.run(world, seed, seed, faults, each -> new CollectivesInTurnStory(each)::main);
            if (!wrong.isEmpty()) {
                return wrong;
            }
        }
        return "";
    }

    /**
     * An operator that keeps the items of the higher rank. While it computes, it sends messages to the same rank, and
     * makes collective calls if {@link #self} is not null.
     */
    private static final class Higher extends UserFunction {
        /** For collective calls inside the function; null if other threads may call the function at the same time. */
        private final Intracomm self;
        /** Each call of this function has a separate tag, because one call may run inside the wait of another. */
        private final AtomicInteger nextTag;

        Higher(Intracomm self, int firstTag) {
            this.self = self;
            this.nextTag = new AtomicInteger(firstTag);
        }

        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            int[] items = (int[]) inOut;
            int[] before = items.clone();
            Arrays.fill(items, UNTOUCHED);
            int length = Math.min(before.length, 1 + items.length % 7);
            int[] other = new int[length];
            int tag = nextTag.getAndIncrement();
            MPI.COMM_SELF.send(before, length, MPI.INT, 0, tag);
            if (MPI.COMM_SELF.probe(MPI.ANY_SOURCE, tag).getCount(MPI.INT) != length) {
                throw new AssertionError("a probe saw another message");
            }
            MPI.COMM_SELF.recv(other, length, MPI.INT, 0, tag);
            MPI.COMM_SELF.sendRecv(other, length, MPI.INT, 0, tag, other, length, MPI.INT, 0, tag);
            requireFirst(before, other);
            if (self != null) {
                self.scan(before, other, length, MPI.INT, MPI.SUM);
                self.gather(before, length, MPI.INT, other, length, MPI.INT, 0);
                requireFirst(before, other);
            }
            System.arraycopy(before, 0, items, 0, items.length);
        }

        private static void requireFirst(int[] items, int[] copied) {
            if (Arrays.mismatch(items, 0, copied.length, copied, 0, copied.length) >= 0) {
                throw new AssertionError("inside an operator " + Arrays.toString(copied) + " came");
            }
        }
    }

    /** A buffer of the program: elements of items, one after the other or with gaps, in an array or a direct buffer. */
    private static final class Data {
        final boolean isGapped;
        final int[] array;
        final ByteBuffer bytes;
        final int elements;

        Data(int shape, int items) {
            isGapped = (shape & 1) != 0;
            elements = isGapped ? 2 * items : items;
            int length = isGapped ? 3 * items : items;
            array = (shape & 2) != 0 ? null : new int[length];
            bytes = (shape & 2) != 0 ? MPI.newByteBuffer(4 * length).order(ByteOrder.nativeOrder()) : null;
            for (int i = 0; i < length; i++) {
                set(i, UNTOUCHED);
            }
        }

        /**
         * Fills {@code items} items, from item {@code first} on. {@code values} gives the value of each element by its
         * number within these items, from 0.
         */
        Data fill(int first, int items, IntUnaryOperator values) {
            int each = isGapped ? 2 : 1;
            for (int i = 0; i < items * each; i++) {
                set(place(first * each + i), values.applyAsInt(i));
            }
            return this;
        }

        private int place(int element) {
            return isGapped ? element / 2 * 3 + element % 2 * 2 : element;
        }

        private void set(int at, int value) {
            if (array != null) {
                array[at] = value;
            } else {
                bytes.putInt(4 * at, value);
            }
        }

        private int get(int at) {
            return array != null ? array[at] : bytes.getInt(4 * at);
        }

        private int length() {
            return isGapped ? elements / 2 * 3 : elements;
        }

        Object object() {
            return array != null ? array : bytes;
        }

        /** Moves position and limit of a direct buffer to random places, which no call may heed. */
        Data moved(Random own) {
            if (bytes != null) {
                int limit = own.nextInt(bytes.capacity() + 1);
                bytes.clear().limit(limit).position(own.nextInt(limit + 1));
            }
            return this;
        }

        void require(Data expected, String what) {
            if (bytes != null) {
                bytes.clear();
            }
            for (int i = 0; i < length(); i++) {
                if (get(i) != expected.get(i)) {
                    throw new AssertionError(what + " gave " + get(i) + " at " + i + " of " + length() + ", right is "
                            + expected.get(i));
                }
            }
        }
    }

    /** An operation that was begun; {@code request} is null if the call was blocking. */
    private record Begun(Request request, Data data, Data expected, String what) {
        void check() {
            data.require(expected, what);
        }
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int[] phase = new int[1];
        Survival.untilDone(MPI.COMM_WORLD, comm -> play(comm, phase[0]++));
        MPI.Finalize();
    }

    private void play(Intracomm comm, int phase) {
        List<Intracomm> made = new ArrayList<>(List.of(comm));
        try {
            made.add(comm.dup());
            made.add(comm.split(comm.getRank() % 2, -comm.getRank()));
            comm.barrier(); // else a rank whose split failed would keep its half waiting
            new Calls(made, MPI.COMM_SELF, 0, seed * 31 + phase).play();
            comm.barrier();
        } catch (ProcFailedException | RevokedException failure) {
            made.forEach(Intracomm::revoke);
            throw failure;
        }
    }

    /** Plays the calls of one thread of several, which has its own communicators. */
    static void playBesideOthers(List<Intracomm> comms, int thread, long seed) {
        new Calls(comms, null, 10_000 * thread, seed).play();
    }

    /** The calls of one thread of a rank. */
    private static final class Calls {
        private final List<Intracomm> comms;
        private final Random shared;
        private final Random own;
        private final Op higher;
        private final Datatype gapped = Datatype.createVector(2, 1, 2, MPI.INT);
        private final List<Begun> open = new ArrayList<>();

        private Intracomm comm;
        private int rank;
        private int size;
        private int number;
        private int shape;
        private Datatype type;
        private boolean isStarted;

        Calls(List<Intracomm> comms, Intracomm self, int firstTag, long seed) {
            this.comms = comms;
            this.higher = new Op(new Higher(self, firstTag), false);
            this.shared = new Random(seed);
            this.own = new Random(seed * 37 + comms.get(0).getRank());
            gapped.commit();
        }

        void play() {
            for (number = 0; number < OPERATIONS; number++) {
                // The halves of the split call the same operations, each with its own size.
                comm = comms.get(shared.nextInt(comms.size()));
                rank = comm.getRank();
                size = comm.getSize();
                isStarted = shared.nextInt(3) == 0;
                shape = isStarted ? own.nextInt(2) + 2 : own.nextInt(4);
                int kind = shared.nextInt(KINDS);
                int root = shared.nextInt(1 << 20) % size;
                int count = COUNTS[shared.nextInt(COUNTS.length)];
                boolean isGapped = shared.nextBoolean();
                shape = shape & 2 | (isGapped ? 1 : 0);
                type = isGapped ? gapped : MPI.INT;
                Begun begun = call(kind, root, isGapped ? count / 2 : count, new Random(shared.nextLong()));
                if (begun.request() == null) {
                    begun.check();
                } else {
                    begun.data().moved(own);
                    open.add(begun);
                }
                while (!open.isEmpty() && (open.size() > 3 || number == OPERATIONS - 1)) {
                    Begun one = open.remove(own.nextInt(open.size()));
                    one.request().waitFor();
                    one.check();
                }
            }
        }

        private Data data(int items) {
            return new Data(shape, items);
        }

        private Data mine(int items) {
            return data(items).fill(0, items, of(rank)).moved(own);
        }

        private IntUnaryOperator of(int who) {
            int base = number * 131;
            return element -> who * 1_000_003 + base + element * 7;
        }

        /** What one rank has for another. */
        private IntUnaryOperator of(int who, int whom) {
            IntUnaryOperator values = of(who);
            return element -> values.applyAsInt(element) + whom * 17;
        }

        private Begun begun(Request request, Data data, Data expected, String name) {
            return new Begun(
                    request,
                    data,
                    expected,
                    name + " number " + number + " at rank " + rank + " of " + size + ", shape " + shape
                            + (isStarted ? ", started" : ""));
        }

        private Request perform(Runnable blocking, Supplier<Request> started) {
            if (isStarted) {
                return started.get();
            }
            blocking.run();
            return null;
        }

        private Buffer later(Data data) {
            return data.bytes;
        }

        private Op operator() {
            return type == MPI.INT && number % 2 == 0 ? MPI.SUM : higher;
        }

        /** Returns the combined contributions of ranks {@code from} to {@code to} − 1, by element. */
        private IntUnaryOperator combined(int from, int to) {
            if (operator() == higher) {
                return of(to - 1);
            }
            return element -> {
                int sum = 0;
                for (int who = from; who < to; who++) {
                    sum += of(who).applyAsInt(element);
                }
                return sum;
            };
        }

        private Begun call(int kind, int root, int count, Random drawn) {
            return switch (kind) {
                case 0 -> {
                    Data none = data(1);
                    yield begun(perform(comm::barrier, comm::iBarrier), none, data(1), "barrier");
                }
                case 1 -> {
                    Data data = rank == root ? mine(count) : data(count).moved(own);
                    Request request = perform(
                            () -> comm.bcast(data.object(), count, type, root),
                            () -> comm.iBcast(later(data), count, type, root));
                    yield begun(request, data, data(count).fill(0, count, of(root)), "bcast");
                }
                case 2, 3 -> gather(kind == 2, root, count, drawn);
                case 4, 5 -> scatter(kind == 4, root, count, drawn);
                case 6, 7 -> allGather(kind == 6, count, drawn);
                case 8, 9 -> allToAll(kind == 8, Math.min(count, 2000), drawn);
                case 10 -> {
                    Data sent = mine(count);
                    Data data = data(count).moved(own);
                    Request request = perform(
                            () -> comm.reduce(sent.object(), data.object(), count, type, operator(), root),
                            () -> comm.iReduce(later(sent), later(data), count, type, operator(), root));
                    Data expected = data(count);
                    yield begun(
                            request,
                            data,
                            rank == root ? expected.fill(0, count, combined(0, size)) : expected,
                            "reduce");
                }
                case 11 -> {
                    boolean isInPlace = drawn.nextBoolean();
                    Data data = isInPlace ? mine(count) : data(count).moved(own);
                    Data sent = isInPlace ? null : mine(count);
                    Request request = perform(
                            () -> {
                                if (isInPlace) {
                                    comm.allReduce(data.object(), count, type, operator());
                                } else {
                                    comm.allReduce(sent.object(), data.object(), count, type, operator());
                                }
                            },
                            () -> isInPlace
                                    ? comm.iAllReduce(later(data), count, type, operator())
                                    : comm.iAllReduce(later(sent), later(data), count, type, operator()));
                    yield begun(request, data, data(count).fill(0, count, combined(0, size)), "allReduce");
                }
                case 12 -> {
                    Data sent = mine(count);
                    Data data = data(count).moved(own);
                    Request request = perform(
                            () -> comm.scan(sent.object(), data.object(), count, type, operator()),
                            () -> comm.iScan(later(sent), later(data), count, type, operator()));
                    yield begun(request, data, data(count).fill(0, count, combined(0, rank + 1)), "scan");
                }
                case 13 -> {
                    Data sent = mine(count);
                    Data data = data(count).moved(own);
                    Request request = perform(
                            () -> comm.exScan(sent.object(), data.object(), count, type, operator()),
                            () -> comm.iExScan(later(sent), later(data), count, type, operator()));
                    Data expected = data(count);
                    yield begun(
                            request, data, rank == 0 ? expected : expected.fill(0, count, combined(0, rank)), "exScan");
                }
                default -> reduceScatter(Math.min(count, 2000), drawn);
            };
        }

        private Begun reduceScatter(int most, Random drawn) {
            int[] counts = counts(most, drawn);
            int total = Arrays.stream(counts).sum();
            int first = Arrays.stream(counts, 0, rank).sum() * (type == MPI.INT ? 1 : 2);
            int count = counts[rank];
            Data sent = mine(total);
            Data data = data(count).moved(own);
            Request request = perform(
                    () -> comm.reduceScatter(sent.object(), data.object(), counts, type, operator()),
                    () -> comm.iReduceScatter(later(sent), later(data), counts, type, operator()));
            IntUnaryOperator all = combined(0, size);
            Data expected = data(count).fill(0, count, element -> all.applyAsInt(first + element));
            Begun begun = begun(request, data, expected, "reduceScatter");
            Arrays.fill(counts, -1);
            return begun;
        }

        private int[] counts(int most, Random drawn) {
            int[] counts = new int[size];
            for (int i = 0; i < size; i++) {
                counts[i] = drawn.nextInt(4) == 0 ? 0 : drawn.nextInt(most + 1);
            }
            return counts;
        }

        /**
         * The place of each rank's part in a buffer: in rank order without gaps if {@code isEqual}; otherwise from the
         * last rank's part to the first one's, with gaps.
         */
        private int[] places(int[] counts, boolean isEqual) {
            int[] places = new int[size];
            int end = 0;
            for (int i = 0; i < size; i++) {
                int who = isEqual ? i : size - 1 - i;
                places[who] = end;
                end += counts[who] + (isEqual ? 0 : 1 + who % 2);
            }
            return places;
        }

        private static int room(int[] counts, int[] places) {
            int end = 0;
            for (int i = 0; i < counts.length; i++) {
                end = Math.max(end, places[i] + counts[i]);
            }
            return end + 1;
        }

        private int[] equal(int count) {
            int[] counts = new int[size];
            Arrays.fill(counts, count);
            return counts;
        }

        private Begun gather(boolean isEqual, int root, int count, Random drawn) {
            int[] counts = isEqual ? equal(count) : counts(count, drawn);
            int[] places = places(counts, isEqual);
            int part = counts[rank];
            int room = room(counts, places);
            Data sent = mine(part);
            Data data = data(room).moved(own);
            Request request = perform(
                    () -> {
                        if (isEqual) {
                            comm.gather(sent.object(), part, type, data.object(), part, type, root);
                        } else {
                            comm.gatherv(sent.object(), part, type, data.object(), counts, places, type, root);
                        }
                    },
                    () -> isEqual
                            ? comm.iGather(later(sent), part, type, later(data), part, type, root)
                            : comm.iGatherv(later(sent), part, type, later(data), counts, places, type, root));
            Data expected = data(room);
            for (int who = 0; who < size && rank == root; who++) {
                expected.fill(places[who], counts[who], of(who));
            }
            Arrays.fill(counts, -1);
            Arrays.fill(places, -1);
            return begun(request, data, expected, isEqual ? "gather" : "gatherv");
        }

        private Begun scatter(boolean isEqual, int root, int count, Random drawn) {
            int[] counts = isEqual ? equal(count) : counts(count, drawn);
            int[] places = places(counts, isEqual);
            int part = counts[rank];
            Data sent = data(room(counts, places));
            for (int who = 0; who < size; who++) {
                sent.fill(places[who], counts[who], of(root, who));
            }
            sent.moved(own);
            Data data = data(part).moved(own);
            Request request = perform(
                    () -> {
                        if (isEqual) {
                            comm.scatter(sent.object(), part, type, data.object(), part, type, root);
                        } else {
                            comm.scatterv(sent.object(), counts, places, type, data.object(), part, type, root);
                        }
                    },
                    () -> isEqual
                            ? comm.iScatter(later(sent), part, type, later(data), part, type, root)
                            : comm.iScatterv(later(sent), counts, places, type, later(data), part, type, root));
            Data expected = data(part).fill(0, part, of(root, rank));
            Arrays.fill(counts, -1);
            Arrays.fill(places, -1);
            return begun(request, data, expected, isEqual ? "scatter" : "scatterv");
        }

        private Begun allGather(boolean isEqual, int count, Random drawn) {
            int[] counts = isEqual ? equal(count) : counts(count, drawn);
            int[] places = places(counts, isEqual);
            int part = counts[rank];
            int room = room(counts, places);
            Data sent = mine(part);
            Data data = data(room).moved(own);
            Request request = perform(
                    () -> {
                        if (isEqual) {
                            comm.allGather(sent.object(), part, type, data.object(), part, type);
                        } else {
                            comm.allGatherv(sent.object(), part, type, data.object(), counts, places, type);
                        }
                    },
                    () -> isEqual
                            ? comm.iAllGather(later(sent), part, type, later(data), part, type)
                            : comm.iAllGatherv(later(sent), part, type, later(data), counts, places, type));
            Data expected = data(room);
            for (int who = 0; who < size; who++) {
                expected.fill(places[who], counts[who], of(who));
            }
            Arrays.fill(counts, -1);
            Arrays.fill(places, -1);
            return begun(request, data, expected, isEqual ? "allGather" : "allGatherv");
        }

        private Begun allToAll(boolean isEqual, int count, Random drawn) {
            int[][] all = new int[size][];
            for (int who = 0; who < size; who++) {
                all[who] = isEqual ? equal(count) : counts(count, drawn);
            }
            int[] sendCounts = all[rank];
            int[] counts = new int[size];
            for (int who = 0; who < size; who++) {
                counts[who] = all[who][rank];
            }
            int[] sendPlaces = places(sendCounts, isEqual);
            int[] places = places(counts, isEqual);
            Data sent = data(room(sendCounts, sendPlaces));
            Data data = data(room(counts, places)).moved(own);
            Data expected = data(room(counts, places));
            for (int who = 0; who < size; who++) {
                sent.fill(sendPlaces[who], sendCounts[who], of(rank, who));
                expected.fill(places[who], counts[who], of(who, rank));
            }
            sent.moved(own);
            Request request = perform(
                    () -> {
                        if (isEqual) {
                            comm.allToAll(sent.object(), count, type, data.object(), count, type);
                        } else {
                            comm.allToAllv(
                                    sent.object(), sendCounts, sendPlaces, type, data.object(), counts, places, type);
                        }
                    },
                    () -> isEqual
                            ? comm.iAllToAll(later(sent), count, type, later(data), count, type)
                            : comm.iAllToAllv(
                                    later(sent), sendCounts, sendPlaces, type, later(data), counts, places, type));
            for (int[] given : List.of(sendCounts, sendPlaces, counts, places)) {
                Arrays.fill(given, -1);
            }
            return begun(request, data, expected, isEqual ? "allToAll" : "allToAllv");
        }
    }
}
