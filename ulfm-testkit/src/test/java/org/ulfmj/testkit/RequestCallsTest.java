package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;

/** Tests the calls that complete, test, cancel and free requests: what each waits for and returns. */
class RequestCallsTest {
    @Test
    void shouldGiveAnEmptyStatusForANullRequest() {
        Worlds.run(1, (world, rank) -> {
            Request null1 = MPI.REQUEST_NULL;
            assertThat(null1.isNull()).isTrue();
            null1.waitFor();
            assertThat(null1.test()).isTrue();
            Status empty = null1.waitStatus();
            assertThat(empty.getSource()).isEqualTo(MPI.ANY_SOURCE);
            assertThat(empty.getTag()).isEqualTo(MPI.ANY_TAG);
            assertThat(empty.getCount(MPI.INT)).isZero();
            assertThat(null1.testStatus()).isNotNull();
            assertThat(null1.getStatus()).isNotNull();
            null1.free();
            raises(MPI.ERR_REQUEST, null1::cancel);

            Request[] nulls = {null1, null1};
            Request.waitAll(nulls);
            assertThat(Request.testAll(nulls)).isTrue();
            assertThat(Request.waitAllStatus(nulls))
                    .extracting(Status::getIndex)
                    .containsExactly(0, 1);
            assertThat(Request.testAllStatus(nulls))
                    .extracting(Status::getIndex)
                    .containsExactly(0, 1);
            assertThat(Request.waitAny(nulls)).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.testAny(nulls)).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.waitAnyStatus(nulls).getIndex()).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.testAnyStatus(nulls).getIndex()).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.waitSome(nulls)).isNull();
            assertThat(Request.testSome(nulls)).isNull();
            assertThat(Request.waitSomeStatus(nulls)).isNull();
            assertThat(Request.testSomeStatus(nulls)).isNull();
            assertThat(Request.waitAny(new Request[0])).isEqualTo(MPI.UNDEFINED);
        });
    }

    @Test
    void shouldGiveANullRequestAmongOthersItsPlace() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer taken = ints(0);
            Request[] requests = {
                world.iSend(ints(7), 1, MPI.INT, 0, 4), MPI.REQUEST_NULL, world.iRecv(taken, 1, MPI.INT, 0, 4)
            };
            assertThat(Request.waitAllStatus(requests))
                    .extracting(Status::getIndex)
                    .containsExactly(0, 1, 2);
            Request[] failing = {
                MPI.REQUEST_NULL,
                world.iSend(ints(7, 8), 2, MPI.INT, 0, 5),
                MPI.REQUEST_NULL,
                world.iRecv(taken, 1, MPI.INT, 0, 5)
            };
            MPIException inStatus = raises(MPI.ERR_IN_STATUS, () -> Request.waitAllStatus(failing));
            assertThat(inStatus.getStatuses()).extracting(Status::getIndex).containsExactly(0, 1, 2, 3);
        });
    }

    @Test
    void shouldCompleteMessagesWithNoRankAtOnce() {
        Worlds.run(1, (world, rank) -> {
            Request send = world.iSend(ints(1), 1, MPI.INT, MPI.PROC_NULL, 0);
            Request receive = world.iRecv(ints(1), 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(send.isNull() || receive.isNull()).isFalse();
            assertThat(send.test()).isTrue();
            Status status = receive.waitStatus();
            assertThat(status.getSource()).isEqualTo(MPI.PROC_NULL);
            assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
            assertThat(status.getCount(MPI.INT)).isZero();
        });
    }

    @Test
    void shouldTestWithoutWaitingAndLeaveWhatIsUnderWay() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                IntBuffer in = MPI.newIntBuffer(1);
                Request receive = world.iRecv(in, 1, MPI.INT, 1, 0);
                Request[] both = {receive, MPI.REQUEST_NULL};
                assertThat(receive.test()).isFalse();
                assertThat(receive.testStatus()).isNull();
                assertThat(receive.getStatus()).isNull();
                assertThat(Request.testAny(both)).isEqualTo(MPI.UNDEFINED);
                assertThat(Request.testAnyStatus(both)).isNull();
                assertThat(Request.testAll(both)).isFalse();
                assertThat(Request.testAllStatus(both)).isNull();
                assertThat(Request.testSome(both)).isEmpty();
                assertThat(Request.testSomeStatus(both)).isEmpty();
                assertThat(receive.isNull()).isFalse();
                world.send(new int[0], 0, MPI.INT, 1, 1);
                while (receive.getStatus() == null) {
                    Thread.onSpinWait();
                }
                assertThat(receive.isNull()).isFalse();
                assertThat(receive.getStatus().getSource()).isEqualTo(1);
                assertThat(receive.test()).isTrue();
                assertThat(receive.isNull()).isTrue();
                assertThat(in.get(0)).isEqualTo(5);
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, 1);
                world.send(new int[] {5}, 1, MPI.INT, 0, 0);
            }
        });
    }

    @Test
    void shouldCompleteOneSomeOrAllOfSeveral() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 1) {
                for (int tag : new int[] {2, 0, 3, 1}) {
                    world.recv(new int[0], 0, MPI.INT, 0, 9);
                    world.send(new int[] {tag}, 1, MPI.INT, 0, tag);
                }
                world.recv(new int[0], 0, MPI.INT, 0, 9);
                for (int tag = 4; tag < 8; tag++) {
                    world.send(new int[] {tag}, 1, MPI.INT, 0, tag);
                }
                return;
            }
            IntBuffer[] in = new IntBuffer[8];
            Request[] requests = new Request[8];
            for (int tag = 0; tag < 8; tag++) {
                in[tag] = MPI.newIntBuffer(1);
                requests[tag] = world.iRecv(in[tag], 1, MPI.INT, 1, tag);
            }
            Runnable next = () -> world.send(new int[0], 0, MPI.INT, 1, 9);
            next.run();
            assertThat(Request.waitAny(requests)).isEqualTo(2);
            next.run();
            Status any = Request.waitAnyStatus(requests);
            assertThat(any.getIndex()).isZero();
            assertThat(any.getTag()).isZero();
            next.run();
            assertThat(Request.waitSome(requests)).containsExactly(3);
            next.run();
            Status[] some = Request.waitSomeStatus(requests);
            assertThat(some).hasSize(1);
            assertThat(some[0].getIndex()).isEqualTo(1);
            next.run();
            Status[] all = Request.waitAllStatus(requests);
            assertThat(all).hasSize(8);
            for (int tag = 0; tag < 8; tag++) {
                assertThat(in[tag].get(0)).isEqualTo(tag);
                assertThat(all[tag].getCount(MPI.INT)).isEqualTo(tag < 4 ? 0 : 1);
                assertThat(requests[tag].isNull()).isTrue();
            }
        });
    }

    @Test
    void shouldFindEachOfThousandsAsItEnds() {
        int count = 4_000;
        Worlds.run(2, (world, rank) -> {
            List<Integer> order = new ArrayList<>();
            for (int tag = 0; tag < count; tag++) {
                order.add(tag);
            }
            Collections.shuffle(order, new Random(7));
            if (rank == 1) {
                for (int tag : order) {
                    world.send(new int[0], 0, MPI.INT, 0, tag);
                }
                return;
            }
            Request[] requests = new Request[count];
            for (int tag = 0; tag < count; tag++) {
                requests[tag] = world.iRecv(ints(0), 1, MPI.INT, 1, tag);
            }
            boolean[] seen = new boolean[count];
            for (int i = 0; i < count / 2; i++) {
                Status status = Request.waitAnyStatus(requests);
                assertThat(status.getTag()).isEqualTo(status.getIndex());
                assertThat(seen[status.getIndex()]).isFalse();
                seen[status.getIndex()] = true;
            }
            for (int[] some = Request.waitSome(requests); some != null; some = Request.waitSome(requests)) {
                for (int index : some) {
                    assertThat(seen[index]).isFalse();
                    seen[index] = true;
                }
            }
            for (boolean each : seen) {
                assertThat(each).isTrue();
            }
        });
    }

    @Test
    void shouldWithdrawAReceiveThatNothingMatched() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                IntBuffer in = ints(1);
                Request receive = world.iRecv(in, 1, MPI.INT, 1, 0);
                receive.cancel();
                Status status = receive.waitStatus();
                assertThat(status.isCancelled()).isTrue();
                world.barrier();
                IntBuffer second = ints(0);
                Status received = world.iRecv(second, 1, MPI.INT, 1, 0).waitStatus();
                assertThat(received.isCancelled()).isFalse();
                assertThat(second.get(0)).isEqualTo(8);
                assertThat(in.get(0)).isEqualTo(1);
            } else {
                world.barrier();
                world.send(new int[] {8}, 1, MPI.INT, 0, 0);
            }
        });
    }

    @Test
    void shouldDeliverToARequestThatWasFreedAndLetItsCommunicatorGo() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            IntBuffer in = MPI.newIntBuffer(1);
            if (rank == 0) {
                Request receive = comm.iRecv(in, 1, MPI.INT, 1, 0);
                receive.free();
                assertThat(receive.isNull()).isTrue();
                comm.free();
                world.barrier();
                world.recv(new int[0], 0, MPI.INT, 1, 1);
                assertThat(in.get(0)).isEqualTo(6);
            } else {
                world.barrier();
                comm.iSend(ints(6), 1, MPI.INT, 0, 0).free();
                world.send(new int[0], 0, MPI.INT, 0, 1);
                comm.free();
            }
        });
    }
}
