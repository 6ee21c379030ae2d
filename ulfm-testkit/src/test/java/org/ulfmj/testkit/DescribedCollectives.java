package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpi.MPI;
import mpi.MPIException;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.DescriptionMismatch;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.transport.BufferPayload;

/**
 * Programs that describe their collective operations by numbers. In one program all ranks describe them alike; in the
 * other one a rank gives a wrong description, calls another operation or leaves an operation out.
 */
final class DescribedCollectives {
    /** What a rank calls. */
    enum Kind {
        ALL_REDUCE,
        /** An allReduce of the program's operator, by messages even where the members share memory. */
        ALL_REDUCE_BY_THE_PROGRAM,
        BROADCAST,
        ALL_GATHER,
        BARRIER
    }

    static final int[] LENGTHS = {0, 8, 4096, 1 << 20};
    /** How many operations come before the one in question: by then the members share memory, if they may. */
    private static final int ENOUGH = 5;

    private static final long RIGHT = 0x5eed;

    /** Adds longs; {@code isUserCode} says whether the sum passes for the program's own code. */
    private record Sum(boolean isUserCode) implements Reduction {
        @Override
        public void apply(ByteBuffer in, ByteBuffer inout, int count) {
            for (int i = 0; i < count; i++) {
                int to = inout.position() + i * Long.BYTES;
                inout.putLong(to, in.getLong(in.position() + i * Long.BYTES) + inout.getLong(to));
            }
        }

        @Override
        public boolean isCommutative() {
            return true;
        }

        @Override
        public int code() {
            return 7;
        }
    }

    /**
     * The {@link DescriptionMismatch} that one rank of the run, not necessarily the one in the wrong, was told of; by
     * the text that names the case of a wrong call. All ranks of a run share the map.
     */
    private final Map<String, DescriptionMismatch> told = new ConcurrentHashMap<>();

    private static Communicator world() {
        return RankBinding.current().runtime().world();
    }

    /** Lets all ranks call one operation, of which one rank gives another description. */
    private void sayDifferentThings() {
        for (Kind kind : Kind.values()) {
            for (int length : LENGTHS) {
                for (int wrong = 0; wrong < world().size(); wrong++) {
                    int itsRank = wrong;
                    onOneOfTheirOwn(
                            kind + " of " + length + ", rank " + wrong,
                            comm -> call(comm, kind, length, comm.rank() == itsRank ? RIGHT + 1 : RIGHT));
                }
            }
        }
    }

    /** Lets one rank call another operation than all others. */
    private void callDifferentThings() {
        for (Kind kind : Kind.values()) {
            for (Kind other : Kind.values()) {
                for (int wrong = 0; wrong < world().size() && kind != other; wrong++) {
                    int itsRank = wrong;
                    onOneOfTheirOwn(kind + ", but " + other + " at rank " + wrong, comm -> {
                        Kind its = comm.rank() == itsRank ? other : kind;
                        return call(comm, its, 8, RIGHT + its.ordinal());
                    });
                }
            }
        }
    }

    /** Lets one rank leave an operation out, so that it is one operation ahead of all others. */
    private void leaveOneOut() {
        for (Kind kind : Kind.values()) {
            for (int wrong = 0; wrong < world().size(); wrong++) {
                int itsRank = wrong;
                onOneOfTheirOwn(kind + " left out by rank " + wrong, comm -> {
                    if (comm.rank() != itsRank) {
                        call(comm, kind, 8, RIGHT);
                    }
                    return call(comm, Kind.ALL_REDUCE, 8, RIGHT + 1);
                });
            }
        }
    }

    /** Runs every kind of wrong description, wrong operation and missing operation. */
    void beWrong() throws MPIException {
        MPI.Init(new String[0]);
        sayDifferentThings();
        callDifferentThings();
        leaveOneOut();
        MPI.Finalize();
    }

    private interface Calls {
        boolean on(Communicator comm);
    }

    /**
     * Runs a wrong call on a new communicator. A rank that finds the difference revokes the communicator, so that no
     * rank waits for ever.
     */
    private void onOneOfTheirOwn(String what, Calls calls) {
        Communicator comm = world().creation().dup();
        try {
            for (int i = 0; i < ENOUGH; i++) {
                comm.collectives().describedBarrier(RIGHT);
            }
            calls.on(comm);
            // A rank that needed no other rank for the wrong call meets the others here.
            comm.collectives().describedBarrier(RIGHT + 99);
            throw new AssertionError(what + ": rank " + comm.rank() + " was told of nothing");
        } catch (DescriptionMismatch mismatch) {
            assertThat(mismatch.error()).as(what).isEqualTo(ErrorClass.OTHER);
            if (!what.contains("left out")) {
                assertThat(mismatch.theirs()).as(what).isNotEqualTo(mismatch.mine());
            }
            assertThat(mismatch.peer()).as(what).isNotEqualTo(comm.rank());
            assertThat(mismatch)
                    .as(what)
                    .hasMessageContaining("rank " + mismatch.peer() + " is in an operation described as "
                            + Long.toHexString(mismatch.theirs()));
            told.put(what, mismatch);
            comm.recovery().revoke();
        } catch (CallError other) {
            assertThat(other.error()).as(what).isEqualTo(ErrorClass.REVOKED);
        }
        world().recovery().agree(1);
        assertThat(told).containsKey(what);
        comm.free();
    }

    /** Makes the call, checks the result if there is one, and returns whether it waited for all. */
    private static boolean call(Communicator comm, Kind kind, int length, long description) {
        int size = comm.size();
        int rank = comm.rank();
        int root = size - 1;
        return switch (kind) {
            case BARRIER -> comm.collectives().describedBarrier(description);
            case BROADCAST -> {
                ByteBuffer data = filled(length, rank == root ? 40 : 0);
                boolean waited = comm.collectives().describedBroadcast(data, root, description);
                require(data, 0, length, 40);
                yield waited;
            }
            case ALL_REDUCE, ALL_REDUCE_BY_THE_PROGRAM -> {
                Sum sum = new Sum(kind != Kind.ALL_REDUCE);
                yield description % 2 == 0
                        ? allReduceInPlace(comm, length, sum, description)
                        : allReduceRecorded(comm, length, sum, description);
            }
            case ALL_GATHER -> {
                int part = Math.min(length, 64 * 1024);
                ByteBuffer all = filled(size * part, 0);
                for (int at = rank * part; at < (rank + 1) * part; at += Long.BYTES) {
                    all.putLong(at, 1 + rank);
                }
                boolean waited = comm.collectives().describedAllGather(null, all, description);
                for (int other = 0; other < size; other++) {
                    require(all, other * part, part, 1 + other);
                }
                yield waited;
            }
        };
    }

    private static boolean allReduceInPlace(Communicator comm, int length, Sum sum, long description) {
        ByteBuffer data = filled(length, 1 + comm.rank());
        boolean waited = comm.collectives().describedAllReduce(null, data, Long.BYTES, sum, description);
        require(data, 0, length, comm.size() * (comm.size() + 1) / 2);
        return waited;
    }

    /**
     * Runs a recorded allReduce. Requires that its result is in data and record, or, if it fails, that the data are
     * unchanged.
     */
    private static boolean allReduceRecorded(Communicator comm, int length, Sum sum, long description) {
        ByteBuffer data = filled(length, 1 + comm.rank());
        ByteBuffer record = filled(length, 0);
        boolean waited;
        try {
            waited = comm.collectives()
                    .describedAllReduce(new BufferPayload(data), record, Long.BYTES, sum, description);
        } catch (CallError fault) {
            require(data, 0, length, 1 + comm.rank());
            throw fault;
        }
        require(data, 0, length, comm.size() * (comm.size() + 1) / 2);
        require(record, 0, length, comm.size() * (comm.size() + 1) / 2);
        assertThat(record.position()).isZero();
        return waited;
    }

    private static ByteBuffer filled(int length, long value) {
        ByteBuffer data = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
        for (int at = 0; at < length; at += Long.BYTES) {
            data.putLong(at, value);
        }
        return data;
    }

    private static void require(ByteBuffer data, int from, int length, long value) {
        for (int at = from; at < from + length; at += Long.BYTES) {
            if (data.getLong(at) != value) {
                throw new AssertionError(data.getLong(at) + " at byte " + at + ", right is " + value);
            }
        }
    }

    /**
     * Runs collectives that all ranks describe alike, sometimes without a description. Checks the results and, for the
     * calls with a description, the answers to whether the call waited for all.
     */
    static void agreeOnEverything() throws MPIException {
        MPI.Init(new String[0]);
        Communicator comm = world().creation().dup();
        for (int round = 0; round < 12; round++) {
            for (Kind kind : Kind.values()) {
                int length = LENGTHS[round % LENGTHS.length];
                long description = round % 5 == 4 ? 0 : RIGHT * round + kind.ordinal();
                boolean waited = call(comm, kind, length, description);
                if (description != 0) {
                    assertThat(waited)
                            .as("%s of %d", kind, length)
                            .isEqualTo(kind != Kind.BROADCAST && comm.size() > 1);
                }
            }
        }
        comm.free();
        MPI.Finalize();
    }
}
