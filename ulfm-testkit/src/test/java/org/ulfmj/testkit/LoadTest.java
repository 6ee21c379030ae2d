package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;

/** Tests large numbers of messages, ranks, communicators and bytes. */
class LoadTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldHoldManyMessagesThatAreNotReceivedYet() {
        int messages = 20_000;
        survivorsSucceed(2, rank -> {
            Request[] sends = new Request[rank == 0 ? messages : 0];
            for (int i = 0; i < sends.length; i++) {
                // The messages are sent without blocking: a blocking send would wait once the receiver holds as many
                // unexpected messages as credit allows.
                sends[i] = WORLD.iSend(MPI.newIntBuffer(1).put(0, i), 1, MPI.INT, 1, i % 7);
            }
            WORLD.barrier();
            if (rank == 1) {
                int[] data = new int[1];
                for (int tag = 6; tag >= 0; tag--) {
                    for (int i = tag; i < messages; i += 7) {
                        WORLD.recv(data, 1, MPI.INT, 0, tag);
                        assertThat(data[0]).isEqualTo(i);
                    }
                }
            }
            Request.waitAll(sends);
        });
    }

    @Test
    void shouldNotLetSendersOfLongMessagesWaitForEachOther() {
        int count = 3_000_000;
        survivorsSucceed(3, rank -> {
            int[] out = new int[count];
            int[] in = new int[count];
            Arrays.fill(out, rank + 1);
            WORLD.sendRecv(out, count, MPI.INT, (rank + 1) % 3, 0, in, count, MPI.INT, (rank + 2) % 3, 0);
            assertThat(in[0]).isEqualTo((rank + 2) % 3 + 1);
            assertThat(in[count - 1]).isEqualTo((rank + 2) % 3 + 1);
        });
    }

    @Test
    void shouldRunAndShrinkAWorldOfFortyRanks() {
        Meeting entered = new Meeting(40);
        LocalResult result = LocalWorld.of(40).run(program(rank -> {
            WORLD.barrier();
            entered.attend();
            dieIf(rank == 7 || rank == 31);
            Programs.awaitFailed(WORLD, 7, 31);
            Intracomm shrunk = WORLD.shrink();
            int[] sum = {1};
            shrunk.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(38);
        }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).hasSize(38);
    }

    @Test
    void shouldMakeAndFreeCommunicatorsByTheThousand() {
        survivorsSucceed(3, rank -> {
            for (int i = 0; i < 2000; i++) {
                Intracomm dup = WORLD.dup();
                if (i % 100 == 0) {
                    dup.barrier();
                }
                if (i % 10 == 1 && rank == 0) {
                    dup.revoke();
                }
                dup.free();
            }
            WORLD.barrier();
        });
    }
}
