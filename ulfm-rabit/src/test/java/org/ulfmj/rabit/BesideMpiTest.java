package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.Faults;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/** Tests programs that also call MPI themselves, for instance that the recovery mode leaves their messages alone. */
class BesideMpiTest {
    private static final int VERSIONS = 4;
    private static final byte[] NOTE = {0, 0, 0, 4, 9, 9, 9, 9};

    /** The tag of the program's messages here. Such a message must not be taken for a local model that a rank sends. */
    private static final int TAG = 2;

    @Test
    void shouldNotTakeTheProgramsMessageForALocalModel() {
        Queue<byte[]> loaded = new ConcurrentLinkedQueue<>();
        LocalWorld.of(2)
                .restarting(1)
                .killing(0, 0, FaultTrigger.atPosition(2, 0), 1)
                .run(() -> Rabit.run(() -> {
                    int me = Rabit.rank();
                    int version = Rabit.loadCheckpoint();
                    if (version > 0) {
                        loaded.add(Rabit.localModel());
                        assertThat(Rabit.localModel()).isEqualTo(model(me, version - 1));
                    }
                    for (; version < VERSIONS; version++) {
                        Rabit.allreduce(new double[1], MPI.SUM);
                        if (me == 0) {
                            MPI.COMM_WORLD.send(NOTE, NOTE.length, MPI.BYTE, 1, TAG);
                        }
                        Rabit.checkpoint(new byte[] {(byte) version}, model(me, version));
                        if (me == 1) {
                            byte[] note = new byte[NOTE.length];
                            MPI.COMM_WORLD.recv(note, note.length, MPI.BYTE, 0, TAG);
                            assertThat(note).isEqualTo(NOTE);
                        }
                    }
                }))
                .requireSurvivorsSucceeded();
        assertThat(loaded).hasSize(1);
    }

    /**
     * A call of grow by the program is refused: it and the call by which the recovery mode grows would wait for each
     * other.
     */
    @Test
    void shouldRefuseTheProgramsOwnGrow() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        LocalResult result = LocalWorld.of(2)
                .joining(1)
                .run(() -> Rabit.run(() -> {
                    for (int version = Rabit.loadCheckpoint(); version < VERSIONS || Rabit.worldSize() < 3; version++) {
                        try {
                            MPI.COMM_WORLD.grow();
                        } catch (MPIException refused) {
                            told.add(refused.getErrorClass() + " " + refused.getMessage());
                        }
                        Rabit.checkpoint(new byte[1]);
                    }
                }));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
        assertThat(told).hasSizeGreaterThanOrEqualTo(2 * VERSIONS).allSatisfy(text -> assertThat(text)
                .startsWith(MPI.ERR_UNSUPPORTED_OPERATION + " ")
                .contains("this job uses Rabit, which lets in processes that wait by itself"));
    }

    /**
     * Rank 0 is preempted twice, and started again each time, although each rank may be restarted only once: a
     * preemption does not count as a restart.
     */
    @Test
    void shouldGoOnFromTheCopiesOfOthersWhenARankIsPreempted() {
        Queue<Integer> loaded = new ConcurrentLinkedQueue<>();
        LocalResult result = LocalWorld.of(3)
                .restarting(1)
                .run(() -> Rabit.run(() -> {
                    int me = Rabit.rank();
                    MPI.onPreemption(left -> {});
                    int version = Rabit.loadCheckpoint();
                    if (version > 0) {
                        loaded.add(version);
                        assertThat(Rabit.localModel()).isEqualTo(model(me, version - 1));
                    }
                    for (; version < VERSIONS; version++) {
                        Rabit.allreduce(new double[1], MPI.SUM);
                        Rabit.checkpoint(new byte[] {(byte) version}, model(me, version));
                        if (me == 0 && version == MPI.getIncarnation() && version < 2) {
                            Faults.preempt(0);
                            MPI.COMM_SELF.recv(new int[1], 1, MPI.INT, 0, TAG);
                        }
                    }
                }));
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
        assertThat(result.processes(RankEnd.PREEMPTED)).hasSize(2);
        assertThat(loaded).containsExactly(1, 2);
    }

    private static byte[] model(int rank, int version) {
        byte[] model = new byte[4];
        Arrays.fill(model, (byte) (100 * rank + version));
        return model;
    }

    @Test
    void shouldLeaveNothingForAReceiveOfAnything() {
        LocalWorld.of(2)
                .run(() -> Rabit.run(() -> {
                    int version = Rabit.loadCheckpoint();
                    Request any = MPI.COMM_WORLD.iRecv(
                            ByteBuffer.wrap(new byte[64]), 64, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG);
                    for (; version < VERSIONS; version++) {
                        Rabit.allreduce(new double[1], MPI.SUM);
                        Rabit.checkpoint(new byte[] {(byte) version}, new byte[] {(byte) Rabit.rank()});
                    }
                    assertThat(any.test()).isFalse();
                    any.cancel();
                    any.waitFor();
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldHaveACommunicatorOfTheProgramsOwnInEveryEpoch() {
        LocalWorld.of(3)
                .restarting(1)
                .killing(2, 0, FaultTrigger.atPosition(1, 0), 1)
                .run(() -> Rabit.run(() -> {
                    for (int version = Rabit.loadCheckpoint(); version < VERSIONS; version++) {
                        Rabit.allreduce(new double[1], MPI.SUM);
                        Rabit.checkpoint(new byte[] {(byte) version});
                    }
                    int[] sum = {1};
                    MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
                    assertThat(sum[0]).isEqualTo(3);
                }))
                .requireSurvivorsSucceeded();
    }
}
