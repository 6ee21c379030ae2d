package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Shows which operation raises which error: one test for each cell with a value in the table of operations by states.
 * In each, rank 0 calls the operation on a communicator of four ranks that is in a certain state. Rank 1 is the peer of
 * most operations that have one peer.
 */
class ErrorTableTest {
    /** The state of the communicator, which rank 0 knows when it calls the operation. */
    private enum State {
        PEER_DEAD,
        OTHER_DEAD,
        OTHER_DEAD_ACKED,
        REVOKED
    }

    private static final int OK = MPI.SUCCESS;
    private static final int FAILED = MPI.ERR_PROC_FAILED;
    private static final int REVOKED = MPI.ERR_REVOKED;
    private static final int TAG = 5;

    /**
     * The error class of an operation with one peer, by state. The maps below have the same of an operation with all
     * ranks, of one with no peer, and of one that never fails.
     */
    private static final Map<State, Integer> OF_THE_PEER = errors(FAILED, OK, OK, REVOKED);

    private static final Map<State, Integer> OF_ALL = errors(FAILED, FAILED, FAILED, REVOKED);
    private static final Map<State, Integer> OF_NO_PEER = errors(OK, OK, OK, REVOKED);
    private static final Map<State, Integer> NEVER = errors(OK, OK, OK, OK);

    /** The counts of a collective that moves one element per rank; {@code PLACES} below has the displacements. */
    private static final int[] ONES = {1, 1, 1, 1};

    private static final int[] PLACES = {0, 1, 2, 3};

    /**
     * A call in a row of the table: the operation that rank 0 is tested with, or what the other ranks call to match it.
     */
    private interface Call {
        void on(Intracomm comm) throws Exception;
    }

    /** A row of the table. */
    private record Row(String name, Call call, Call peers, Map<State, Integer> errors) {}

    @TestFactory
    Stream<DynamicTest> shouldRaiseWhatTheTableSays() {
        return rows().flatMap(row -> row.errors().entrySet().stream()
                .map(cell -> DynamicTest.dynamicTest(
                        row.name() + ", " + cell.getKey() + " → error class " + cell.getValue(),
                        () -> check(row, cell.getKey(), cell.getValue()))));
    }

    private static Stream<Row> rows() {
        return Stream.of(pointToPoint(), collectives(), creation(), recovery(), local())
                .flatMap(rows -> rows);
    }

    private static Stream<Row> pointToPoint() {
        Call receive = comm -> onlyAt(comm, 1, () -> comm.recv(new int[1], 1, MPI.INT, 0, TAG));
        Call send = comm -> onlyAt(comm, 1, () -> comm.send(new int[] {11}, 1, MPI.INT, 0, TAG));
        Call both = comm -> onlyAt(
                comm, 1, () -> comm.sendRecv(new int[] {11}, 1, MPI.INT, 0, TAG, new int[1], 1, MPI.INT, 0, TAG));
        Call nothing = comm -> {};
        return Stream.of(
                new Row("send", comm -> comm.send(new int[1], 1, MPI.INT, 1, TAG), receive, OF_THE_PEER),
                new Row("sSend", comm -> comm.sSend(new int[1], 1, MPI.INT, 1, TAG), receive, OF_THE_PEER),
                new Row("rSend", comm -> comm.rSend(new int[1], 1, MPI.INT, 1, TAG), receive, OF_THE_PEER),
                new Row(
                        "long send",
                        comm -> comm.send(new int[1 << 18], 1 << 18, MPI.INT, 1, TAG),
                        comm -> onlyAt(comm, 1, () -> comm.recv(new int[1 << 18], 1 << 18, MPI.INT, 0, TAG)),
                        OF_THE_PEER),
                new Row("recv", comm -> receiveEleven(comm, 1), send, OF_THE_PEER),
                new Row(
                        "recv from any",
                        comm -> receiveEleven(comm, MPI.ANY_SOURCE),
                        nothing,
                        errors(FAILED, FAILED, null, REVOKED)),
                new Row(
                        "recv from any, sent after acknowledging",
                        comm -> receiveEleven(comm, MPI.ANY_SOURCE),
                        send,
                        errors(null, null, OK, REVOKED)),
                new Row("probe", comm -> probeEleven(comm, 1), send, OF_THE_PEER),
                new Row(
                        "probe any",
                        comm -> comm.probe(MPI.ANY_SOURCE, TAG),
                        nothing,
                        errors(FAILED, FAILED, null, REVOKED)),
                new Row(
                        "probe any, sent after acknowledging",
                        comm -> probeEleven(comm, MPI.ANY_SOURCE),
                        send,
                        errors(null, null, OK, REVOKED)),
                new Row("iProbe", comm -> assertThat(comm.iProbe(1, TAG)).isNull(), nothing, OF_THE_PEER),
                new Row(
                        "iProbe any",
                        comm -> assertThat(comm.iProbe(MPI.ANY_SOURCE, TAG)).isNull(),
                        nothing,
                        errors(FAILED, FAILED, OK, REVOKED)),
                new Row("sendRecv", comm -> exchange(comm, 1, 1), both, OF_THE_PEER),
                new Row(
                        "sendRecv from any",
                        comm -> exchange(comm, 1, MPI.ANY_SOURCE),
                        receive,
                        errors(FAILED, FAILED, null, REVOKED)),
                new Row(
                        "sendRecv, receive half dead",
                        comm -> exchange(comm, 3, 1),
                        comm -> onlyAt(comm, 3, () -> comm.recv(new int[1], 1, MPI.INT, 0, TAG)),
                        errors(FAILED, null, null, REVOKED)),
                new Row(
                        "sendRecv, send half dead",
                        comm -> exchange(comm, 1, 3),
                        comm -> onlyAt(comm, 3, () -> comm.send(new int[] {11}, 1, MPI.INT, 0, TAG)),
                        errors(FAILED, null, null, REVOKED)),
                new Row(
                        "sendRecvReplace",
                        comm -> {
                            int[] data = {1};
                            comm.sendRecvReplace(data, 1, MPI.INT, 1, TAG, 1, TAG);
                            assertThat(data).containsExactly(11);
                        },
                        both,
                        OF_THE_PEER),
                new Row(
                        "send to nobody",
                        comm -> comm.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, TAG),
                        nothing,
                        OF_NO_PEER),
                new Row(
                        "recv from nobody",
                        comm -> comm.recv(new int[1], 1, MPI.INT, MPI.PROC_NULL, TAG),
                        nothing,
                        OF_NO_PEER),
                new Row(
                        "send to self and recv",
                        comm -> {
                            comm.send(new int[] {11}, 1, MPI.INT, 0, TAG);
                            receiveEleven(comm, 0);
                        },
                        nothing,
                        OF_NO_PEER));
    }

    private static Stream<Row> collectives() {
        return Stream.of(
                collective("barrier", Intracomm::barrier),
                collective("bcast", comm -> comm.bcast(new int[1], 1, MPI.INT, 0)),
                collective("bcast from peer", comm -> comm.bcast(new int[1], 1, MPI.INT, 1)),
                collective("gather", comm -> comm.gather(new int[1], 1, MPI.INT, new int[4], 1, MPI.INT, 0)),
                collective(
                        "gatherv", comm -> comm.gatherv(new int[1], 1, MPI.INT, new int[4], ONES, PLACES, MPI.INT, 0)),
                collective("scatter", comm -> comm.scatter(new int[4], 1, MPI.INT, new int[1], 1, MPI.INT, 0)),
                collective(
                        "scatterv",
                        comm -> comm.scatterv(new int[4], ONES, PLACES, MPI.INT, new int[1], 1, MPI.INT, 0)),
                collective("allGather", comm -> comm.allGather(new int[1], 1, MPI.INT, new int[4], 1, MPI.INT)),
                collective(
                        "allGatherv",
                        comm -> comm.allGatherv(new int[1], 1, MPI.INT, new int[4], ONES, PLACES, MPI.INT)),
                collective("allToAll", comm -> comm.allToAll(new int[4], 1, MPI.INT, new int[4], 1, MPI.INT)),
                collective(
                        "allToAllv",
                        comm -> comm.allToAllv(new int[4], ONES, PLACES, MPI.INT, new int[4], ONES, PLACES, MPI.INT)),
                collective("reduce", comm -> comm.reduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM, 0)),
                collective("allReduce", comm -> comm.allReduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM)),
                collective("reduceScatter", comm -> comm.reduceScatter(new int[4], new int[1], ONES, MPI.INT, MPI.SUM)),
                collective(
                        "reduceScatterBlock",
                        comm -> comm.reduceScatterBlock(new int[4], new int[1], 1, MPI.INT, MPI.SUM)),
                collective("scan", comm -> comm.scan(new int[1], new int[1], 1, MPI.INT, MPI.SUM)),
                collective("exScan", comm -> comm.exScan(new int[1], new int[1], 1, MPI.INT, MPI.SUM)));
    }

    private static Stream<Row> creation() {
        return Stream.of(
                collective("dup", Intracomm::dup),
                collective("iDup", comm -> comm.iDup().getRequest().waitFor()),
                collective("split", comm -> comm.split(0, comm.getRank())),
                collective("create", comm -> comm.create(comm.getGroup())),
                collective("createGroup", comm -> comm.createGroup(comm.getGroup(), 3)));
    }

    private static Stream<Row> recovery() {
        Call agree = comm -> assertThat(comm.agree(comm.getRank() == 0 ? 6 : 3)).isEqualTo(2);
        Call agreeFailed = comm -> assertThat(comm.agreeFailed().getSize()).isLessThanOrEqualTo(1);
        Call shrink = comm -> {
            Intracomm shrunk = comm.shrink();
            shrunk.barrier();
            assertThat(shrunk.getSize()).isGreaterThanOrEqualTo(3);
        };
        return Stream.of(
                // In state OTHER_DEAD_ACKED only rank 0 has acknowledged the failure, and the other ranks have not:
                // agree still raises PROC_FAILED.
                new Row("agree", agree, agree, errors(FAILED, FAILED, FAILED, OK)),
                new Row("agreeFailed", agreeFailed, agreeFailed, NEVER),
                new Row("shrink", shrink, shrink, NEVER),
                new Row("revoke", Intracomm::revoke, comm -> {}, NEVER));
    }

    private static Stream<Row> local() {
        return Stream.of(
                everywhereFine("free", Intracomm::free),
                everywhereFine("getSize", Intracomm::getSize),
                everywhereFine("getName", Intracomm::getName),
                everywhereFine("getGroup", Intracomm::getGroup),
                everywhereFine("isRevoked", Intracomm::isRevoked),
                everywhereFine("getFailed", Intracomm::getFailed),
                everywhereFine("ackFailed", comm -> comm.ackFailed(comm.getSize())),
                everywhereFine("compare", comm -> assertThat(Intracomm.compare(comm, comm))
                        .isEqualTo(MPI.IDENT)));
    }

    private static Row everywhereFine(String name, Call call) {
        return new Row(name, call, comm -> {}, NEVER);
    }

    /**
     * Returns the row of a collective. The other ranks call the same collective; since they may not know yet of the
     * failure or revocation, any result is right for them.
     */
    private static Row collective(String name, Call call) {
        return new Row(name, call, comm -> errorClass(() -> call.on(comm)), OF_ALL);
    }

    /**
     * Returns the expected error of a row for each state; the arguments are in the order of {@code State}. Where an
     * argument is null, the row is not tested in that state.
     */
    private static Map<State, Integer> errors(Integer... ofStates) {
        Map<State, Integer> errors = new EnumMap<>(State.class);
        for (State state : State.values()) {
            if (ofStates[state.ordinal()] != null) {
                errors.put(state, ofStates[state.ordinal()]);
            }
        }
        return errors;
    }

    private static void check(Row row, State state, int expected) {
        Meeting made = new Meeting(4);
        CountDownLatch ready = new CountDownLatch(1);
        int dead = state == State.PEER_DEAD ? 1 : 2;
        LocalResult result = LocalWorld.run(4, program(rank -> {
            Intracomm comm = MPI.COMM_WORLD.dup();
            made.attend();
            if (state == State.REVOKED) {
                if (rank == 3) {
                    comm.revoke();
                }
            } else if (rank == dead) {
                Faults.die();
            }
            if (rank == 0) {
                try {
                    reach(state, comm, dead);
                } finally {
                    ready.countDown();
                }
                int error = errorClass(() -> row.call().on(comm));
                assertThat(error).as("%s in state %s", row.name(), state).isEqualTo(expected);
            } else {
                ready.await();
                errorClass(() -> row.peers().on(comm));
            }
        }));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.KILLED)).hasSize(state == State.REVOKED ? 0 : 1);
    }

    private static void reach(State state, Intracomm comm, int dead) {
        if (state == State.REVOKED) {
            awaitRevoked(comm);
            return;
        }
        awaitFailed(comm, dead);
        if (state == State.OTHER_DEAD_ACKED) {
            assertThat(comm.ackFailed(comm.getSize())).isEqualTo(1);
        }
    }

    private static void onlyAt(Intracomm comm, int rank, Runnable call) {
        if (comm.getRank() == rank) {
            call.run();
        }
    }

    private static void receiveEleven(Intracomm comm, int source) {
        int[] data = new int[1];
        Status status = comm.recv(data, 1, MPI.INT, source, TAG);
        assertThat(data).containsExactly(11);
        assertThat(status.getTag()).isEqualTo(TAG);
        assertThat(status.getSource()).isEqualTo(source == MPI.ANY_SOURCE ? 1 : source);
    }

    private static void probeEleven(Intracomm comm, int source) {
        Status status = comm.probe(source, TAG);
        assertThat(status.getSource()).isEqualTo(1);
        assertThat(status.getCount(MPI.INT)).isEqualTo(1);
        receiveEleven(comm, status.getSource());
    }

    private static void exchange(Intracomm comm, int dest, int source) {
        int[] data = new int[1];
        Status status = comm.sendRecv(new int[] {7}, 1, MPI.INT, dest, TAG, data, 1, MPI.INT, source, TAG);
        assertThat(data).containsExactly(11);
        assertThat(status.getSource()).isEqualTo(source);
    }
}
