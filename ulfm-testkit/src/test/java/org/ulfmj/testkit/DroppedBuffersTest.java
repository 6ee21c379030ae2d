package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shows that a program that drops its buffers after a call has succeeded gets their memory back, although objects of
 * the call are kept for the next one. The ranks are on two hosts.
 */
class DroppedBuffersTest {
    private static final int RANKS = 4;
    private static final int BYTES = 64 * 1024;
    /** The most times that a rank asks for a garbage collection before it requires that its buffers are gone. */
    private static final int COLLECTIONS = 50;

    /** The calls that are tried. Each gets two buffers of 64 KiB, and uses one or both. */
    enum Call {
        ALL_REDUCE_BY_HOSTS((c, a, b) -> c.world.allReduce(a, b, BYTES / 8, MPI.LONG, MPI.SUM)),
        BCAST_BY_HOSTS((c, a, b) -> c.world.bcast(a, BYTES, MPI.BYTE, 1)),
        GATHER_BY_HOSTS((c, a, b) -> c.world.gather(a, BYTES / RANKS, MPI.BYTE, b, BYTES / RANKS, MPI.BYTE, 0)),
        SCAN((c, a, b) -> c.world.scan(a, b, BYTES / 8, MPI.LONG, MPI.SUM)),
        STARTED_BY_HOSTS((c, a, b) ->
                c.world.iAllReduce(a, b, BYTES / 8, MPI.LONG, MPI.SUM).waitFor()),
        STARTED_SCAN(
                (c, a, b) -> c.world.iScan(a, b, BYTES / 8, MPI.LONG, MPI.SUM).waitFor()),
        STARTED_WITH_GAPS((c, a, b) -> c.world
                .iAllReduce(a, b, BYTES / 4, c.gapped(), new Op(new None(), true))
                .waitFor()),
        STARTED_BCAST_WITH_GAPS(
                (c, a, b) -> c.world.iBcast(a, BYTES / 4, c.gapped(), 0).waitFor()),
        BETWEEN_GROUPS((c, a, b) -> c.inter.allReduce(a, b, BYTES / 8, MPI.LONG, MPI.SUM)),
        GATHER_BETWEEN_GROUPS((c, a, b) -> c.inter.allGather(a, BYTES / 2, MPI.BYTE, b, BYTES / 2, MPI.BYTE)),
        SEND_RECEIVE(
                (c, a, b) -> c.world.sendRecv(a, BYTES, MPI.BYTE, c.rank ^ 1, 1, b, BYTES, MPI.BYTE, c.rank ^ 1, 1)),
        REQUESTS((c, a, b) -> Request.waitAll(new Request[] {
            c.world.iRecv(b, BYTES, MPI.BYTE, c.rank ^ 1, 1), c.world.iSend(a, BYTES, MPI.BYTE, c.rank ^ 1, 1)
        }));

        private final Use use;

        Call(Use use) {
            this.use = use;
        }
    }

    private interface Use {
        void on(Comms comms, ByteBuffer one, ByteBuffer other);
    }

    private record Comms(Intracomm world, int rank, Intercomm inter) {
        Datatype gapped() {
            Datatype made = Datatype.createVector(2, 1, 2, MPI.BYTE);
            made.commit();
            return made;
        }
    }

    private static final class None extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {}
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void shouldHoldNoBufferOfACallThatHasSucceeded(Call call) {
        Meeting used = new Meeting(RANKS);
        Worlds.run(LocalWorld.of(RANKS).hosts(0, 0, 1, 1), (world, rank) -> {
            Comms comms = new Comms(world, rank, IntercommCases.between(2));
            use(call, comms);
            List<WeakReference<ByteBuffer>> dropped = use(call, comms);
            used.attend();
            for (int i = 0; i < COLLECTIONS && !areGone(dropped); i++) {
                System.gc();
            }
            assertThat(dropped).allMatch(buffer -> buffer.get() == null);
        });
    }

    private static List<WeakReference<ByteBuffer>> use(Call call, Comms comms) {
        ByteBuffer one = ByteBuffer.allocateDirect(BYTES);
        ByteBuffer other = ByteBuffer.allocateDirect(BYTES);
        call.use.on(comms, one, other);
        return List.of(new WeakReference<>(one), new WeakReference<>(other));
    }

    private static boolean areGone(List<WeakReference<ByteBuffer>> buffers) {
        return buffers.stream().allMatch(buffer -> buffer.get() == null);
    }
}
