package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that the error of a call names its bad argument, in many cases with its value and with what is allowed. */
class ArgumentMessagesTest {
    private static final int[] ONE = new int[1];
    private static final int[] FOUR = new int[4];

    /** Runs the body at rank 0 of two ranks: no call that fails there may reach the other rank. */
    private static void atRankOfTwo(Worlds.Body body) {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                body.run(world, rank);
            }
            world.barrier();
        });
    }

    @Test
    void shouldNameRanksAndTags() {
        atRankOfTwo((world, rank) -> {
            refused(
                    () -> world.send(ONE, 1, MPI.INT, 2, 0),
                    MPI.ERR_RANK,
                    "send on COMM_WORLD",
                    "dest is 2; allowed: 0 to 1");
            refused(() -> world.sSend(ONE, 1, MPI.INT, MPI.ANY_SOURCE, 0), MPI.ERR_RANK, "sSend", "dest is -1");
            refused(
                    () -> world.rSend(ONE, 1, MPI.INT, 0, -1),
                    MPI.ERR_TAG,
                    "rSend",
                    "tag is -1; allowed: 0 to 2147483647");
            refused(
                    () -> world.recv(ONE, 1, MPI.INT, -5, 0),
                    MPI.ERR_RANK,
                    "source is -5",
                    "MPI.ANY_SOURCE or MPI.PROC_NULL");
            refused(() -> world.recv(ONE, 1, MPI.INT, 0, -2), MPI.ERR_TAG, "tag is -2", "or MPI.ANY_TAG");
            refused(() -> world.probe(7, 0), MPI.ERR_RANK, "probe", "source is 7");
            refused(() -> world.iProbe(0, -3), MPI.ERR_TAG, "iProbe", "tag is -3");
            refused(() -> world.bcast(ONE, 1, MPI.INT, 2), MPI.ERR_ROOT, "bcast", "root is 2; allowed: 0 to 1");
            refused(
                    () -> world.sendRecv(ONE, 1, MPI.INT, 0, -1, FOUR, 1, MPI.INT, 0, 0),
                    MPI.ERR_TAG,
                    "sendRecv",
                    "sendtag is -1");
            refused(
                    () -> world.sendRecvReplace(ONE, 1, MPI.INT, 0, 0, 9, 0),
                    MPI.ERR_RANK,
                    "sendRecvReplace",
                    "source is 9");
        });
    }

    @Test
    void shouldRefuseOneBufferForBothHalvesOfSendRecv() {
        IntBuffer four = IntBuffer.wrap(FOUR);
        atRankOfTwo((world, rank) -> {
            refused(
                    () -> world.sendRecv(four, 1, MPI.INT, rank, 0, four, 1, MPI.INT, rank, 0),
                    MPI.ERR_BUFFER,
                    "sendRecv on COMM_WORLD",
                    "sendbuf and recvbuf are one object, a HeapIntBuffer; allowed: buffers that do not overlap, or"
                            + " sendRecvReplace with one");
            // Halves that move nothing share nothing.
            world.sendRecv(four, 1, MPI.INT, MPI.PROC_NULL, 0, four, 1, MPI.INT, MPI.PROC_NULL, 0);
            world.sendRecv(four, 0, MPI.INT, rank, 0, four, 0, MPI.INT, rank, 0);
            // The even elements are sent, and the odd ones are received into.
            Datatype even = Datatype.createVector(2, 1, 2, MPI.INT);
            Datatype odd = Datatype.createHIndexed(new int[] {1, 1}, new int[] {4, 12}, MPI.INT);
            even.commit();
            odd.commit();
            int[] both = {1, 7, 3, 7};
            IntBuffer buffer = IntBuffer.wrap(both);
            world.sendRecv(buffer, 1, even, rank, 0, buffer, 1, odd, rank, 0);
            assertThat(both).containsExactly(1, 1, 3, 3);
        });
    }

    @Test
    void shouldNameBuffersCountsAndTypes() {
        atRankOfTwo((world, rank) -> {
            refused(() -> world.send(ONE, -1, MPI.INT, 1, 0), MPI.ERR_COUNT, "count is -1; allowed: 0 to 2147483647");
            refused(
                    () -> world.send(ONE, 2, MPI.INT, 1, 0),
                    MPI.ERR_BUFFER,
                    "buf holds 1 items of MPI.INT but count is 2; allowed: 0 to 1");
            refused(
                    () -> world.send(MPI.newByteBuffer(7), 1, MPI.LONG, 1, 0),
                    MPI.ERR_BUFFER,
                    "buf holds 0 items of MPI.LONG but count is 1");
            refused(
                    () -> world.send(ONE, 1, MPI.DOUBLE, 1, 0),
                    MPI.ERR_BUFFER,
                    "buf is an int[] but its type is MPI.DOUBLE; allowed: double[], DoubleBuffer or ByteBuffer");
            refused(
                    () -> world.send("text", 1, MPI.CHAR, 1, 0),
                    MPI.ERR_BUFFER,
                    "buf is a String",
                    "char[], CharBuffer");
            refused(() -> world.send(null, 1, MPI.INT, 1, 0), MPI.ERR_BUFFER, "buf is null but count is 1");
            refused(() -> world.send(ONE, 1, null, 1, 0), MPI.ERR_TYPE, "the type of buf is null");
            refused(() -> world.send(ONE, 1, MPI.DATATYPE_NULL, 1, 0), MPI.ERR_TYPE, "is MPI.DATATYPE_NULL");
            refused(
                    () -> world.recv(IntBuffer.wrap(ONE).asReadOnlyBuffer(), 1, MPI.INT, 1, 0),
                    MPI.ERR_BUFFER,
                    "buf is a read-only buffer");
        });
    }

    @Test
    void shouldNameArgumentsOfCollectives() {
        atRankOfTwo((world, rank) -> {
            refused(
                    () -> world.gather(ONE, 1, MPI.INT, ONE, 1, MPI.INT, 0),
                    MPI.ERR_BUFFER,
                    "gather",
                    "recvbuf holds 1 items of MPI.INT but recvcount times the number of ranks is 2");
            refused(
                    () -> world.gather(ONE, 1, MPI.INT, FOUR, 2, MPI.INT, 0),
                    MPI.ERR_COUNT,
                    "sendcount (1 of MPI.INT, 4 bytes) and recvcount (2 of MPI.INT, 8 bytes) differ");
            refused(
                    () -> world.gatherv(ONE, 1, MPI.INT, FOUR, ONE, FOUR, MPI.INT, 0),
                    MPI.ERR_COUNT,
                    "recvcount has 1 elements; allowed: one for each of the 2 ranks");
            refused(
                    () -> world.gatherv(ONE, 1, MPI.INT, FOUR, new int[] {1, -1}, FOUR, MPI.INT, 0),
                    MPI.ERR_COUNT,
                    "recvcount[1] is -1");
            refused(
                    () -> world.allGatherv(ONE, 1, MPI.INT, FOUR, new int[] {1, 1}, null, MPI.INT),
                    MPI.ERR_ARG,
                    "displs is null");
            refused(
                    () -> world.scatterv(FOUR, new int[] {1, 2}, new int[] {0, 3}, MPI.INT, ONE, 1, MPI.INT, 0),
                    MPI.ERR_BUFFER,
                    "sendbuf holds 4 items but displs[1] is 3 and sendcount[1] is 2; allowed: parts within 0 to 4");
            refused(
                    () -> world.scatterv(FOUR, new int[] {1, 2}, new int[] {-1, 0}, MPI.INT, 0),
                    MPI.ERR_BUFFER,
                    "displs[0] is -1");
            int[] ones = {1, 1};
            refused(
                    () -> world.allToAllv(FOUR, ones, null, MPI.INT, FOUR, ones, ones, MPI.INT),
                    MPI.ERR_ARG,
                    "sdispls is null");
            refused(
                    () -> world.allToAllv(FOUR, ones, new int[] {0, 9}, MPI.INT, FOUR, ones, ones, MPI.INT),
                    MPI.ERR_BUFFER,
                    "sendbuf holds 4 items but sdispls[1] is 9 and sendcount[1] is 1");
            refused(
                    () -> world.allToAllv(FOUR, ones, ones, MPI.INT, FOUR, ones, new int[1], MPI.INT),
                    MPI.ERR_ARG,
                    "rdispls has 1 elements");
            refused(
                    () -> world.allToAllv(FOUR, ones, ones, MPI.INT, FOUR, ones, new int[] {-2, 0}, MPI.INT),
                    MPI.ERR_BUFFER,
                    "recvbuf holds 4 items but rdispls[0] is -2 and recvcount[0] is 1");
            refused(() -> world.gatherv(ONE, 1, MPI.INT, 0), MPI.ERR_ROOT, "root is 0", "the other ranks only");
            refused(
                    () -> world.scatterv(FOUR, FOUR, FOUR, MPI.INT, 1),
                    MPI.ERR_ROOT,
                    "root is 1 and the caller's rank 0; this form is for the root only");
            refused(
                    () -> world.reduceScatter(ONE, FOUR, new int[] {1, 1}, MPI.INT, MPI.SUM),
                    MPI.ERR_BUFFER,
                    "the sum of recvcounts is 2");
            refused(
                    () -> world.allReduce(new byte[0], Integer.MAX_VALUE, MPI.LONG, MPI.SUM),
                    MPI.ERR_BUFFER,
                    "its type is MPI.LONG");
        });
    }

    @Test
    void shouldNameOperatorAndType() {
        atRankOfTwo((world, rank) -> {
            double[] numbers = new double[1];
            refused(
                    () -> world.allReduce(numbers, 1, MPI.DOUBLE, MPI.BAND),
                    MPI.ERR_OP,
                    "allReduce",
                    "op MPI.BAND does not combine items of type MPI.DOUBLE",
                    "SUM");
            refused(() -> world.reduce(ONE, 1, MPI.INT, null, 0), MPI.ERR_OP, "op is null");
            refused(() -> world.scan(new boolean[1], 1, MPI.BOOLEAN, MPI.SUM), MPI.ERR_OP, "MPI.SUM", "MPI.BOOLEAN");
            refused(
                    () -> Comm.reduceLocal(numbers, numbers, 1, MPI.DOUBLE, MPI.LOR),
                    MPI.ERR_OP,
                    "reduceLocal on COMM_SELF",
                    "MPI.LOR");
        });
    }

    @Test
    void shouldRefuseEveryPairThatMeansNothing() {
        Datatype[] types = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.BOOLEAN, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE};
        Op[] ops = {MPI.MAX, MPI.MIN, MPI.SUM, MPI.PROD, MPI.LAND, MPI.BAND, MPI.LOR, MPI.BOR, MPI.LXOR, MPI.BXOR};
        Worlds.run(1, (world, rank) -> {
            int refused = 0;
            for (Datatype type : types) {
                for (Op op : ops) {
                    try {
                        world.allReduce(MPI.newByteBuffer(8), 1, type, op);
                    } catch (MPIException pair) {
                        assertThat(pair.getErrorClass()).isEqualTo(MPI.ERR_OP);
                        assertThat(pair).hasMessageContainingAll(op.toString(), type.toString());
                        refused++;
                    }
                }
            }
            assertThat(refused).isEqualTo(2 * 6 + 2);
        });
    }

    @Test
    void shouldNameArgumentsOfOtherCalls() {
        atRankOfTwo((world, rank) -> {
            refused(() -> world.ackFailed(-1), MPI.ERR_ARG, "ackFailed", "count is -1; allowed: 0 to 2");
            refused(() -> world.ackFailed(3), MPI.ERR_ARG, "count is 3");
            refused(() -> world.agree(new int[2]), MPI.ERR_ARG, "agree", "flag has 2 elements; allowed: 1 element");
            refused(() -> world.agree(null), MPI.ERR_ARG, "flag is null");
            refused(() -> world.split(-1, 0), MPI.ERR_ARG, "colour is -1", "or MPI.UNDEFINED");
            refused(() -> world.setName(null), MPI.ERR_ARG, "name is null");
            refused(() -> world.setErrhandler(null), MPI.ERR_ARG, "errhandler is null");
            refused(() -> world.create(null), MPI.ERR_GROUP, "group is null");
            refused(() -> Intracomm.compare(world, null), MPI.ERR_COMM, "compare: comm2 is null");
            Group both = world.getGroup();
            refused(() -> MPI.COMM_SELF.create(both), MPI.ERR_GROUP, "create on COMM_SELF", "rank 1 of group");
            refused(() -> world.createGroup(both, -1), MPI.ERR_TAG, "tag is -1");
            refused(world::free, MPI.ERR_COMM, "COMM_WORLD");
            Intracomm self = MPI.COMM_SELF.dup();
            self.free();
            refused(self::getRank, MPI.ERR_COMM, "getRank: the communicator is null");
        });
    }

    private static void refused(ThrowingCallable call, int errorClass, String... texts) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).as("%s", String.join(", ", texts)).isNotNull().hasMessageContainingAll(texts);
        assertThat(thrown.getErrorClass())
                .as("class of: %s", thrown.getMessage())
                .isEqualTo(errorClass);
    }
}
