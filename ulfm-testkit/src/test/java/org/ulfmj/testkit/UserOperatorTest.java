package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests operators that the program defines: functions over arrays and over buffers, the order of operands, exceptions
 * of functions, and deaths while a function runs.
 */
class UserOperatorTest {
    /**
     * Composes two maps x → a·x + b, each packed as two ints in a long; {@code first} is applied first. This is
     * associative but does not commute, so that an exchanged or missing operand shows in the result.
     */
    private static long then(long first, long second) {
        int a = (int) (first >> 32) * (int) (second >> 32);
        int b = (int) (second >> 32) * (int) first + (int) second;
        return (long) a << 32 | b & 0xFFFF_FFFFL;
    }

    private static long contribution(int rank, int item) {
        return (long) (2 * rank + 3) << 32 | 7 * rank + item + 1;
    }

    /** Returns the contributions of ranks {@code from} to {@code to} − 1, combined in the order of the ranks. */
    private static long[] combined(int from, int to, int length) {
        long[] result = new long[length];
        for (int item = 0; item < length; item++) {
            result[item] = contribution(from, item);
            for (int rank = from + 1; rank < to; rank++) {
                result[item] = then(result[item], contribution(rank, item));
            }
        }
        return result;
    }

    private static long[] own(int rank, int length) {
        return combined(rank, rank + 1, length);
    }

    private static final class WithArrays extends UserFunction {
        @Override
        public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
            long[] in = (long[]) inVec;
            long[] inOut = (long[]) inOutVec;
            assertThat(datatype).isSameAs(MPI.LONG);
            assertThat(in).hasSize(count);
            for (int i = 0; i < count; i++) {
                inOut[i] = then(in[i], inOut[i]);
            }
        }
    }

    private static final class WithBuffers extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
            assertThat(datatype).isSameAs(MPI.LONG);
            assertThat(in.isDirect() && inOut.isDirect()).isTrue();
            assertThat(inOut.remaining()).isEqualTo(count * Long.BYTES);
            for (int i = 0; i < count; i++) {
                inOut.putLong(i * Long.BYTES, then(in.getLong(), inOut.getLong(i * Long.BYTES)));
            }
            assertThat(in.hasRemaining()).isFalse();
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1} items, buffers {2}, commute {3}")
    @CsvSource({
        "1,3,false,false",
        "2,1,true,false",
        "3,5,false,true",
        "4,6000,true,false",
        "5,6000,false,false",
        "7,9,true,true"
    })
    void shouldCombineInRankOrderInEveryReduction(int size, int length, boolean buffers, boolean commutes) {
        Worlds.run(size, (world, rank) -> {
            Op op = new Op(buffers ? new WithBuffers() : new WithArrays(), commutes);
            assertThat(op.isCommutative()).isEqualTo(commutes);
            long[] all = combined(0, size, length);

            for (int root = 0; root < size; root++) {
                long[] reduced = new long[length];
                world.reduce(own(rank, length), reduced, length, MPI.LONG, op, root);
                assertThat(reduced).isEqualTo(rank == root ? all : new long[length]);
            }
            long[] everywhere = own(rank, length);
            world.allReduce(everywhere, length, MPI.LONG, op);
            assertThat(everywhere).isEqualTo(all);

            long[] prefix = new long[length];
            world.scan(own(rank, length), prefix, length, MPI.LONG, op);
            assertThat(prefix).isEqualTo(combined(0, rank + 1, length));
            long[] before = new long[length];
            world.exScan(own(rank, length), before, length, MPI.LONG, op);
            assertThat(before).isEqualTo(rank == 0 ? new long[length] : combined(0, rank, length));
            op.free();
        });
    }

    @ParameterizedTest(name = "{0} ranks, {1} items each")
    @CsvSource({"1,3", "2,2000", "3,1", "4,3000", "5,1100"})
    void shouldCombineInRankOrderWhereRanksGetAPartEach(int size, int each) {
        Worlds.run(size, (world, rank) -> {
            Op op = new Op(new WithArrays(), false);
            long[] all = combined(0, size, size * each);
            long[] mine = new long[each];
            world.reduceScatterBlock(own(rank, size * each), mine, each, MPI.LONG, op);
            assertThat(mine).isEqualTo(Arrays.copyOfRange(all, rank * each, (rank + 1) * each));

            int[] counts = new int[size];
            Arrays.fill(counts, each);
            long[] again = new long[each];
            world.reduceScatter(own(rank, size * each), again, counts, MPI.LONG, op);
            assertThat(again).isEqualTo(mine);
        });
    }

    /**
     * A function that implements both forms, over arrays and over buffers, and notes which one was called and with
     * which type of array.
     */
    private static final class WithBoth extends UserFunction {
        private String called;

        @Override
        public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
            called = inOutVec.getClass().getSimpleName();
        }

        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
            called = "ByteBuffer";
        }
    }

    @Test
    void shouldPreferBuffersButForTruthValues() {
        Worlds.run(1, (world, rank) -> {
            WithBoth function = new WithBoth();
            Op op = new Op(function, true);
            Intracomm.reduceLocal(new double[3], new double[3], 3, MPI.DOUBLE, op);
            assertThat(function.called).isEqualTo("ByteBuffer");
            Intracomm.reduceLocal(new boolean[3], new boolean[3], 3, MPI.BOOLEAN, op);
            assertThat(function.called).isEqualTo("boolean[]");
        });
    }

    @Test
    void shouldGiveArraysOfEachKind() {
        Worlds.run(1, (world, rank) -> {
            String[] kinds = new String[1];
            Op op = new Op(
                    new UserFunction() {
                        @Override
                        public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
                            System.arraycopy(inVec, 0, inOutVec, 0, count);
                            kinds[0] = inOutVec.getClass().getSimpleName();
                        }
                    },
                    false);
            replaces(op, kinds, "byte[]", MPI.BYTE, new byte[] {1, 2}, new byte[2]);
            replaces(op, kinds, "char[]", MPI.CHAR, new char[] {1, 2}, new char[2]);
            replaces(op, kinds, "short[]", MPI.SHORT, new short[] {1, 2}, new short[2]);
            replaces(op, kinds, "boolean[]", MPI.BOOLEAN, new boolean[] {true, true}, new boolean[2]);
            replaces(op, kinds, "int[]", MPI.INT, new int[] {1, 2}, new int[2]);
            replaces(op, kinds, "long[]", MPI.LONG, new long[] {1, 2}, new long[2]);
            replaces(op, kinds, "float[]", MPI.FLOAT, new float[] {1, 2}, new float[2]);
            replaces(op, kinds, "double[]", MPI.DOUBLE, new double[] {1, 2}, new double[2]);
        });
    }

    private static void replaces(Op op, String[] kinds, String kind, Datatype type, Object in, Object inOut) {
        Intracomm.reduceLocal(in, inOut, 2, type, op);
        assertThat(inOut).isEqualTo(in);
        assertThat(kinds[0]).isEqualTo(kind);
    }

    /**
     * Returns an operator over one int whose function also does what the test needs, such as to call MPI or to throw.
     */
    private static Op intOperator(BiConsumer<int[], int[]> function) {
        return new Op(
                new UserFunction() {
                    @Override
                    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
                        function.accept((int[]) inVec, (int[]) inOutVec);
                    }
                },
                true);
    }

    @Test
    void shouldLetOtherThreadsIntoMpiWhileItRuns() {
        Worlds.run(2, (world, rank) -> {
            Op op = intOperator((in, inOut) -> {
                Runnable other = MPI.bindThread(() -> MPI.COMM_SELF.barrier());
                try {
                    CompletableFuture.runAsync(other).get(30, TimeUnit.SECONDS);
                } catch (InterruptedException | ExecutionException | TimeoutException e) {
                    throw new IllegalStateException(e);
                }
                MPI.COMM_SELF.barrier();
                inOut[0] += in[0];
            });
            int[] sum = {rank + 1};
            world.allReduce(sum, 1, MPI.INT, op);
            assertThat(sum[0]).isEqualTo(3);
        });
    }

    @Test
    void shouldThrowWhatTheFunctionThrowsAndRevokeForTheOthers() {
        for (int thrower = 0; thrower < 4; thrower++) {
            throwAt(thrower, comm -> () -> comm.allReduce(new int[] {1}, 1, MPI.INT, failingAt(comm)));
            throwAt(thrower, comm -> () -> comm.scan(new int[] {1}, 1, MPI.INT, failingAt(comm)));
        }
    }

    /** Whether the function throws at this rank. It is kept here so that the calls above need no further argument. */
    private static final ThreadLocal<Boolean> THROWS = ThreadLocal.withInitial(() -> false);

    private static Op failingAt(Intracomm comm) {
        return intOperator((in, inOut) -> {
            if (THROWS.get()) {
                throw new ArithmeticException("of rank " + comm.getRank());
            }
            inOut[0] += in[0];
        });
    }

    private interface Calls {
        Runnable on(Intracomm comm);
    }

    private static void throwAt(int thrower, Calls calls) {
        Worlds.run(4, (world, rank) -> {
            Intracomm comm = world.dup();
            THROWS.set(rank == thrower);
            if (rank == thrower) {
                assertThatThrownBy(() -> repeat(calls.on(comm)))
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("of rank " + thrower);
                assertThat(comm.isRevoked()).isTrue();
                raises(MPI.ERR_REVOKED, comm::barrier);
            } else {
                raises(MPI.ERR_REVOKED, () -> repeat(calls.on(comm)));
            }
            assertThat(comm.getFailed().getSize()).isZero();
            Intracomm next = comm.shrink();
            assertThat(next.getSize()).isEqualTo(4);
            next.barrier();
            world.barrier();
        });
    }

    /**
     * Repeats the call until it throws. A rank that does not run the function may succeed at first, but gets an error
     * in a later call.
     */
    private static void repeat(Runnable call) {
        while (true) {
            call.run();
        }
    }

    @Test
    void shouldRaiseAFailureThatCameWhileTheFunctionRan() {
        CountDownLatch inside = new CountDownLatch(1);
        survivorsSucceed(4, rank -> {
            Op waiting = intOperator((in, inOut) -> {
                inside.countDown();
                awaitFailed(MPI.COMM_WORLD, 3);
                inOut[0] += in[0];
            });
            switch (rank) {
                case 0 -> {
                    int[] sum = {1};
                    raises(MPI.ERR_PROC_FAILED, () -> MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, waiting));
                    assertThat(MPI.COMM_WORLD.isRevoked()).isFalse();
                }
                case 3 -> {
                    inside.await();
                    Faults.die();
                }
                default -> raises(MPI.ERR_PROC_FAILED, () -> MPI.COMM_WORLD.allReduce(new int[1], 1, MPI.INT, waiting));
            }
        });
    }

    @Test
    void shouldBeAPlainDeathWhereTheRankDiesInItsFunction() {
        LocalResult result = LocalWorld.run(2, program(rank -> {
            Op deadly = intOperator((in, inOut) -> {
                dieIf(rank == 1);
                inOut[0] += in[0];
            });
            raises(MPI.ERR_PROC_FAILED, () -> repeat(() -> MPI.COMM_WORLD.allReduce(new int[1], 1, MPI.INT, deadly)));
            assertThat(MPI.COMM_WORLD.isRevoked()).isFalse();
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.KILLED)).containsExactly(1);
    }

    @Test
    void shouldRevokeNothingWhenALocalReductionThrows() {
        Worlds.run(1, (world, rank) -> {
            Op op = intOperator((in, inOut) -> {
                throw new ArithmeticException("local");
            });
            assertThatThrownBy(() -> Intracomm.reduceLocal(new int[1], new int[1], 1, MPI.INT, op))
                    .isInstanceOf(ArithmeticException.class);
            assertThat(MPI.COMM_SELF.isRevoked()).isFalse();
        });
    }

    @Test
    void shouldBeNullOnceItIsFreed() {
        Op op = new Op(new WithArrays(), true);
        assertThat(op.isNull()).isFalse();
        op.free();
        assertThat(op.isNull()).isTrue();
        assertThat(MPI.SUM.isNull()).isFalse();
    }

    @Test
    void shouldHaveNoFormOfCallThatTheProgramDoesNotOverride() {
        UserFunction none = new UserFunction() {};
        assertThatThrownBy(() -> none.call(new int[1], new int[1], 1, MPI.INT))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("does not override call(Object, Object, int, Datatype)");
        assertThatThrownBy(() -> none.call(ByteBuffer.allocate(4), ByteBuffer.allocate(4), 1, MPI.INT))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldRefuseOperatorsThatAreNone() {
        Worlds.run(1, (world, rank) -> {
            Op op = new Op(new WithArrays(), true);
            op.free();
            assertThat(raises(MPI.ERR_OP, () -> world.allReduce(new long[1], 1, MPI.LONG, op)))
                    .hasMessageContaining("allReduce")
                    .hasMessageContaining("op was freed");
            assertThat(raises(MPI.ERR_OP, op::free)).hasMessage("Op.free: the operator was freed");
            assertThat(raises(MPI.ERR_OP, MPI.SUM::free)).hasMessage("Op.free: MPI.SUM is a constant");
            assertThat(MPI.SUM.isCommutative()).isTrue();
            assertThat(raises(MPI.ERR_OP, () -> new Op(null, true)))
                    .hasMessage("Op: function is null; allowed: a UserFunction");
            assertThat(raises(MPI.ERR_OP, () -> new Op(new UserFunction() {}, true)))
                    .hasMessageContaining("overrides no form of call");
        });
    }
}
