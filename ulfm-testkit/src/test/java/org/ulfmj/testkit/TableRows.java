package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;

import java.nio.IntBuffer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import mpi.CartComm;
import mpi.Comm;
import mpi.Datatype;
import mpi.GraphComm;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import org.ulfmj.testkit.TableRow.Kind;

/**
 * The operations of the table of errors, as rank 0 calls them. A message goes to rank 1, or comes from it or from any
 * source.
 */
final class TableRows {
    static final int PEER = 1;
    private static final int TAG = 5;
    private static final int SENT = 11;
    private static final int LONG = 1 << 16;
    private static final int BUFFER_BYTES = 1000;

    private static final Consumer<Intracomm> SENDS = comm -> comm.send(new int[] {SENT}, 1, MPI.INT, 0, TAG);
    private static final Consumer<Intracomm> RECEIVES = comm -> comm.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
    private static final Consumer<Intracomm> NOTHING = comm -> {};

    private TableRows() {}

    static Stream<TableRow<? extends Comm>> all() {
        return Stream.of(
                        sends(),
                        receives(),
                        exchanges(),
                        requests(),
                        persistent(),
                        collectives(),
                        topologies(),
                        startedCollectives(),
                        betweenGroups(),
                        recovery())
                .flatMap(rows -> rows);
    }

    private static Stream<TableRow<Intracomm>> sends() {
        return Stream.of(
                TableRow.blocking("send", Kind.STORED, comm -> comm.send(new int[1], 1, MPI.INT, PEER, TAG), RECEIVES),
                TableRow.blocking(
                        "long send", Kind.NAMED, comm -> comm.send(new int[LONG], LONG, MPI.INT, PEER, TAG), RECEIVES),
                TableRow.blocking("bSend", Kind.STORED, TableRows::sendBuffered, RECEIVES),
                TableRow.blocking(
                        "sSend", Kind.NAMED, comm -> comm.sSend(new int[1], 1, MPI.INT, PEER, TAG), RECEIVES));
    }

    private static Stream<TableRow<Intracomm>> receives() {
        return Stream.of(
                TableRow.blocking("recv", Kind.NAMED, comm -> receive(comm, PEER), SENDS),
                TableRow.blocking("recv any", Kind.WILDCARD, comm -> receive(comm, MPI.ANY_SOURCE), SENDS),
                TableRow.blocking("probe", Kind.NAMED, comm -> probe(comm, PEER), SENDS),
                TableRow.blocking("probe any", Kind.WILDCARD, comm -> probe(comm, MPI.ANY_SOURCE), SENDS),
                TableRow.blocking("mProbe, mRecv", Kind.NAMED, comm -> matched(comm, PEER), SENDS),
                TableRow.blocking("mProbe any, mRecv", Kind.WILDCARD, comm -> matched(comm, MPI.ANY_SOURCE), SENDS),
                TableRow.blocking("imProbe until there, imRecv", Kind.NAMED, comm -> matchedAtLast(comm, PEER), SENDS),
                TableRow.blocking(
                        "imProbe any until there, imRecv",
                        Kind.WILDCARD,
                        comm -> matchedAtLast(comm, MPI.ANY_SOURCE),
                        SENDS),
                TableRow.blocking("iProbe until there", Kind.NAMED, comm -> iProbe(comm, PEER), SENDS),
                TableRow.blocking(
                        "iProbe any until there", Kind.WILDCARD, comm -> iProbe(comm, MPI.ANY_SOURCE), SENDS));
    }

    private static Stream<TableRow<Intracomm>> exchanges() {
        Consumer<Intracomm> exchanges =
                comm -> comm.sendRecv(new int[] {SENT}, 1, MPI.INT, 0, TAG, new int[1], 1, MPI.INT, 0, TAG);
        return Stream.of(
                TableRow.blocking("sendRecv", Kind.NAMED, comm -> exchange(comm, PEER), exchanges),
                TableRow.blocking("sendRecvReplace", Kind.NAMED, comm -> replace(comm, PEER, PEER), exchanges),
                // The send half of this call goes to PROC_NULL, so that only the receive half can fail.
                TableRow.blocking(
                        "sendRecvReplace any",
                        Kind.WILDCARD,
                        comm -> replace(comm, MPI.PROC_NULL, MPI.ANY_SOURCE),
                        SENDS));
    }

    private static Stream<TableRow<Intracomm>> requests() {
        return Stream.of(
                TableRow.request(
                        "iSend, waitFor",
                        Kind.STORED,
                        comm -> comm.iSend(ints(1), 1, MPI.INT, PEER, TAG)::waitFor,
                        RECEIVES),
                TableRow.request(
                        "ibSend, waitFor",
                        Kind.STORED,
                        comm -> withBuffer(() -> comm.ibSend(ints(1), 1, MPI.INT, PEER, TAG))::waitFor,
                        RECEIVES),
                TableRow.request(
                        "isSend, waitFor",
                        Kind.NAMED,
                        comm -> comm.isSend(ints(1), 1, MPI.INT, PEER, TAG)::waitFor,
                        RECEIVES),
                TableRow.request("iRecv, waitFor", Kind.NAMED, comm -> received(comm, PEER, Request::waitFor), SENDS),
                TableRow.request(
                        "iRecv any, waitFor",
                        Kind.WILDCARD_REQUEST,
                        comm -> received(comm, MPI.ANY_SOURCE, Request::waitFor),
                        SENDS),
                TableRow.request(
                        "iRecv any, test until done",
                        Kind.WILDCARD_REQUEST,
                        comm -> received(comm, MPI.ANY_SOURCE, TableRows::testUntilDone),
                        SENDS));
    }

    private static Stream<TableRow<Intracomm>> persistent() {
        return Stream.of(
                TableRow.request(
                        "sSendInit, start",
                        Kind.NAMED,
                        comm -> started(comm.sSendInit(ints(1), 1, MPI.INT, PEER, TAG), NOTHING, comm),
                        RECEIVES),
                TableRow.request(
                        "rSendInit, start",
                        Kind.STORED,
                        comm -> started(comm.rSendInit(ints(1), 1, MPI.INT, PEER, TAG), NOTHING, comm),
                        RECEIVES),
                TableRow.request(
                        "bSendInit, start",
                        Kind.STORED,
                        comm -> withBuffer(
                                () -> started(comm.bSendInit(ints(1), 1, MPI.INT, PEER, TAG), NOTHING, comm)),
                        RECEIVES),
                TableRow.request("recvInit, start", Kind.NAMED, comm -> receivedAgain(comm, PEER), SENDS),
                TableRow.request(
                        "recvInit any, start",
                        Kind.WILDCARD_REQUEST,
                        comm -> receivedAgain(comm, MPI.ANY_SOURCE),
                        SENDS));
    }

    private static Stream<TableRow<Intracomm>> collectives() {
        return Stream.of(
                collective("barrier", Intracomm::barrier),
                collective("allReduce", comm -> comm.allReduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM)),
                collective("bcast from peer", comm -> comm.bcast(new int[1], 1, MPI.INT, PEER)),
                collective("gather", comm -> comm.gather(new int[1], 1, MPI.INT, new int[6], 1, MPI.INT, 0)),
                collective("allToAll", comm -> comm.allToAll(new int[6], 1, MPI.INT, new int[6], 1, MPI.INT)),
                creation("dup", Intracomm::dup),
                creation("dupWithInfo", comm -> comm.dupWithInfo(MPI.INFO_NULL)),
                creation("splitType", comm -> comm.splitType(Intracomm.TYPE_SHARED, 0, MPI.INFO_NULL)),
                creation("split", comm -> comm.split(0, comm.getRank())),
                creation("create", comm -> comm.create(comm.getGroup())),
                creation("createGroup", comm -> comm.createGroup(comm.getGroup(), 3)));
    }

    /**
     * The operations on topologies. In the ring and the cycle rank 1 is a neighbour of rank 0; ranks 2 and 3, which die
     * or revoke in some cases, are members but no neighbours of rank 0.
     */
    private static Stream<TableRow<Intracomm>> topologies() {
        return Stream.of(
                creation("createCart", TableRows::ring),
                creation("sub", comm -> ((CartComm) comm).sub(new boolean[1])).on(TableRows::ring),
                creation("createGraph", comm -> comm.createGraph(new int[comm.getSize()], null, false)),
                creation("createDistGraphAdjacent", TableRows::cycle),
                collective("createDistGraph", comm -> {
                    int[] own = {comm.getRank()};
                    int[] next = {(comm.getRank() + 1) % comm.getSize()};
                    comm.createDistGraph(own, new int[] {1}, next, MPI.INFO_NULL, false);
                }),
                collective(
                                "neighborAllGather",
                                comm -> comm.neighborAllGather(new int[1], 1, MPI.INT, new int[2], 1, MPI.INT))
                        .on(TableRows::ring),
                collective(
                                "neighborAllToAllv",
                                comm -> comm.neighborAllToAllv(
                                        new int[1],
                                        new int[] {1},
                                        new int[1],
                                        MPI.INT,
                                        new int[1],
                                        new int[] {1},
                                        new int[1],
                                        MPI.INT))
                        .on(TableRows::cycle),
                started(
                                "iNeighborAllGather, waitFor",
                                comm -> comm.iNeighborAllGather(ints(1), 1, MPI.INT, six(), 1, MPI.INT))
                        .on(TableRows::ring),
                started(
                                "iNeighborAllToAll, waitFor",
                                comm -> comm.iNeighborAllToAll(ints(1), 1, MPI.INT, six(), 1, MPI.INT))
                        .on(TableRows::cycle),
                TableRow.blocking("getTopology", Kind.UNDISTURBED, Intracomm::getTopology, NOTHING)
                        .on(TableRows::ring));
    }

    private static CartComm ring(Intracomm comm) {
        return comm.createCart(new int[] {comm.getSize()}, new boolean[] {true}, false);
    }

    private static GraphComm cycle(Intracomm comm) {
        int size = comm.getSize();
        int[] previous = {(comm.getRank() + size - 1) % size};
        int[] next = {(comm.getRank() + 1) % size};
        return comm.createDistGraphAdjacent(previous, next, MPI.INFO_NULL, false);
    }

    private static Stream<TableRow<Intracomm>> startedCollectives() {
        int[] counts = {1, 1, 1, 1, 1, 1};
        int[] displs = {0, 1, 2, 3, 4, 5};
        return Stream.of(
                started("iBarrier, waitFor", Intracomm::iBarrier),
                started("iBcast from peer, waitFor", comm -> comm.iBcast(ints(1), 1, MPI.INT, PEER)),
                started("iGather, waitFor", comm -> comm.iGather(ints(1), 1, MPI.INT, six(), 1, MPI.INT, 0)),
                started(
                        "iGatherv, waitFor",
                        comm -> comm.iGatherv(ints(1), 1, MPI.INT, six(), counts, displs, MPI.INT, 0)),
                started(
                        "iScatter from peer, waitFor",
                        comm -> comm.iScatter(six(), 1, MPI.INT, ints(1), 1, MPI.INT, PEER)),
                started(
                        "iScatterv from peer, waitFor",
                        comm -> comm.iScatterv(six(), counts, displs, MPI.INT, ints(1), 1, MPI.INT, PEER)),
                started("iAllGather, waitFor", comm -> comm.iAllGather(six(), 1, MPI.INT)),
                started("iAllGatherv, waitFor", comm -> comm.iAllGatherv(six(), counts, displs, MPI.INT)),
                started("iAllToAll, waitFor", comm -> comm.iAllToAll(six(), 1, MPI.INT, six(), 1, MPI.INT)),
                started(
                        "iAllToAllv, waitFor",
                        comm -> comm.iAllToAllv(six(), counts, displs, MPI.INT, six(), counts, displs, MPI.INT)),
                started("iAllToAllw, waitFor", comm -> {
                    int[] bytes = {0, 4, 8, 12, 16, 20};
                    Datatype[] types = {MPI.INT, MPI.INT, MPI.INT, MPI.INT, MPI.INT, MPI.INT};
                    return comm.iAllToAllw(six(), counts, bytes, types, six(), counts, bytes, types);
                }),
                started("iReduce, waitFor", comm -> comm.iReduce(ints(1), 1, MPI.INT, MPI.SUM, 0)),
                started("iAllReduce, waitFor", comm -> comm.iAllReduce(ints(1), 1, MPI.INT, MPI.SUM)),
                started("iReduceScatter, waitFor", comm -> comm.iReduceScatter(six(), counts, MPI.INT, MPI.SUM)),
                started("iReduceScatterBlock, waitFor", comm -> comm.iReduceScatterBlock(six(), 1, MPI.INT, MPI.SUM)),
                TableRow.request(
                        "iAllReduce, test until done",
                        Kind.COLLECTIVE,
                        comm -> {
                            Request request = comm.iAllReduce(ints(1), 1, MPI.INT, MPI.SUM);
                            return () -> testUntilDone(request);
                        },
                        comm -> comm.iAllReduce(ints(1), 1, MPI.INT, MPI.SUM).waitFor()));
    }

    /** The operations on an inter-communicator of the even and the odd ranks, whose leaders are ranks 0 and 1. */
    private static Stream<TableRow<Intercomm>> betweenGroups() {
        return Stream.of(
                TableRow.between("barrier between groups", Intercomm::barrier),
                TableRow.between(
                        "bcast from peer between groups", comm -> comm.bcast(new int[1], 1, MPI.INT, root(PEER))),
                TableRow.between(
                        "gather between groups",
                        comm -> comm.gather(new int[1], 1, MPI.INT, new int[3], 1, MPI.INT, root(0))),
                TableRow.between(
                        "reduce between groups",
                        comm -> comm.reduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM, root(0))),
                TableRow.between(
                        "allReduce between groups",
                        comm -> comm.allReduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM)),
                TableRow.startedBetween(
                        "iScatter from peer between groups, waitFor",
                        comm -> comm.iScatter(six(), 1, MPI.INT, ints(1), 1, MPI.INT, root(PEER))),
                TableRow.startedBetween(
                        "iAllGather between groups, waitFor",
                        comm -> comm.iAllGather(ints(1), 1, MPI.INT, six(), 1, MPI.INT)),
                TableRow.startedBetween(
                        "iAllToAll between groups, waitFor",
                        comm -> comm.iAllToAll(six(), 1, MPI.INT, six(), 1, MPI.INT)),
                TableRow.startedBetween(
                        "iReduceScatterBlock between groups, waitFor",
                        comm -> comm.iReduceScatterBlock(six(), six(), 1, MPI.INT, MPI.SUM)));
    }

    /**
     * Returns the root argument that the calling rank passes for the root with this rank in the world, which must be
     * rank 0 of its group.
     */
    private static int root(int worldRoot) {
        int rank = MPI.COMM_WORLD.getRank();
        if (rank % 2 != worldRoot % 2) {
            return 0;
        }
        return rank == worldRoot ? MPI.ROOT : MPI.PROC_NULL;
    }

    private static TableRow<Intracomm> started(String name, Function<Intracomm, Request> begin) {
        return TableRow.request(name, Kind.COLLECTIVE, comm -> begin.apply(comm)::waitFor, comm -> begin.apply(comm)
                .waitFor());
    }

    private static IntBuffer six() {
        return ints(1, 2, 3, 4, 5, 6);
    }

    private static Stream<TableRow<Intracomm>> recovery() {
        Consumer<Intracomm> agree =
                comm -> assertThat(comm.agree(comm.getRank() == 0 ? 6 : 3)).isEqualTo(2);
        Consumer<Intracomm> agreeFailed = Intracomm::agreeFailed;
        Consumer<Intracomm> shrink = comm -> comm.shrink().barrier();
        return Stream.of(
                TableRow.blocking("agree", Kind.AGREEMENT, agree, agree),
                TableRow.request("iAgree, waitFor", Kind.AGREEMENT, TableRows::agreed, comm -> agreed(comm)
                        .run()),
                TableRow.blocking("agreeFailed", Kind.UNDISTURBED, agreeFailed, agreeFailed),
                TableRow.blocking("shrink", Kind.UNDISTURBED, shrink, shrink),
                TableRow.blocking("getFailed", Kind.UNDISTURBED, Intracomm::getFailed, NOTHING),
                TableRow.blocking("ackFailed", Kind.UNDISTURBED, comm -> comm.ackFailed(comm.getSize()), NOTHING),
                TableRow.blocking("getGroup", Kind.UNDISTURBED, Intracomm::getGroup, NOTHING),
                TableRow.blocking("attributes", Kind.UNDISTURBED, TableRows::useAttributes, NOTHING),
                TableRow.blocking("setInfo, getInfo", Kind.UNDISTURBED, TableRows::useHints, TableRows::useHints),
                TableRow.blocking("detachBuffer", Kind.UNDISTURBED, TableRows::useBuffer, NOTHING));
    }

    private static TableRow<Intracomm> collective(String name, Consumer<Intracomm> call) {
        return TableRow.blocking(name, Kind.COLLECTIVE, call, call);
    }

    private static TableRow<Intracomm> creation(String name, Consumer<Intracomm> call) {
        return TableRow.blocking(name, Kind.CREATION, call, call);
    }

    private static void receive(Intracomm comm, int source) {
        int[] data = new int[1];
        comm.recv(data, 1, MPI.INT, source, TAG);
        assertThat(data).containsExactly(SENT);
    }

    private static void probe(Intracomm comm, int source) {
        receive(comm, comm.probe(source, TAG).getSource());
    }

    private static void sendBuffered(Intracomm comm) {
        withBuffer(() -> {
            comm.bSend(new int[1], 1, MPI.INT, PEER, TAG);
            return null;
        });
    }

    /**
     * Attaches a buffer if none is attached, and makes a buffered call. The buffer stays attached, since the message
     * may not have left it yet.
     */
    private static <T> T withBuffer(Supplier<T> call) {
        assertThat(errorClass(() -> MPI.attachBuffer(new byte[BUFFER_BYTES]))).isIn(MPI.SUCCESS, MPI.ERR_BUFFER);
        return call.get();
    }

    private static void useBuffer(Intracomm comm) {
        byte[] buffer = new byte[BUFFER_BYTES];
        MPI.attachBuffer(buffer);
        assertThat(MPI.detachBuffer()).isSameAs(buffer);
    }

    private static void useAttributes(Intracomm comm) {
        int key = Comm.createKeyval();
        comm.setAttr(key, "value");
        assertThat(comm.getAttr(key)).isEqualTo("value");
        comm.deleteAttr(key);
        Comm.freeKeyval(key);
    }

    private static void useHints(Intracomm comm) {
        Info info = new Info();
        info.set("key", "value");
        comm.setInfo(info);
        assertThat(comm.getInfo().get("key")).isEqualTo("value");
    }

    private static void matched(Intracomm comm, int source) {
        Message message = new Message();
        message.mProbe(source, TAG, comm);
        int[] data = new int[1];
        message.mRecv(data, 1, MPI.INT);
        assertThat(data).containsExactly(SENT);
    }

    private static void matchedAtLast(Intracomm comm, int source) {
        Message message = new Message();
        while (message.imProbe(source, TAG, comm) == null) {
            Thread.yield();
        }
        IntBuffer data = ints(0);
        message.imRecv(data, 1, MPI.INT).waitFor();
        assertThat(data.get(0)).isEqualTo(SENT);
    }

    private static void iProbe(Intracomm comm, int source) {
        while (comm.iProbe(source, TAG) == null) {
            Thread.yield();
        }
        receive(comm, source);
    }

    private static void exchange(Intracomm comm, int peer) {
        int[] data = new int[1];
        comm.sendRecv(new int[1], 1, MPI.INT, peer, TAG, data, 1, MPI.INT, peer, TAG);
        assertThat(data).containsExactly(SENT);
    }

    private static void replace(Intracomm comm, int dest, int source) {
        int[] data = {1};
        comm.sendRecvReplace(data, 1, MPI.INT, dest, TAG, source, TAG);
        assertThat(data).containsExactly(SENT);
    }

    private static Runnable received(Intracomm comm, int source, Consumer<Request> wait) {
        IntBuffer data = ints(0);
        Request request = comm.iRecv(data, 1, MPI.INT, source, TAG);
        return () -> {
            wait.accept(request);
            assertThat(request.isNull()).isTrue();
            assertThat(data.get(0)).isEqualTo(SENT);
        };
    }

    private static void testUntilDone(Request request) {
        while (!request.test()) {
            Thread.yield();
        }
    }

    private static Runnable receivedAgain(Intracomm comm, int source) {
        IntBuffer data = ints(0);
        Prequest request = comm.recvInit(data, 1, MPI.INT, source, TAG);
        return started(request, done -> assertThat(data.get(0)).isEqualTo(SENT), comm);
    }

    /**
     * Starts a persistent request and returns what waits for it. An error other than PENDING must leave the request
     * inactive: it is started again, which must raise no error.
     */
    private static Runnable started(Prequest request, Consumer<Intracomm> check, Intracomm comm) {
        request.start();
        return () -> {
            try {
                request.waitFor();
            } catch (MPIException failure) {
                if (failure.getErrorClass() != MPI.ERR_PROC_FAILED_PENDING) {
                    request.start();
                }
                throw failure;
            }
            check.accept(comm);
        };
    }

    private static Runnable agreed(Intracomm comm) {
        IntBuffer flag = ints(comm.getRank() == 0 ? 6 : 3);
        Request request = comm.iAgree(flag);
        return () -> {
            request.waitFor();
            assertThat(flag.get(0)).isEqualTo(2);
        };
    }
}
