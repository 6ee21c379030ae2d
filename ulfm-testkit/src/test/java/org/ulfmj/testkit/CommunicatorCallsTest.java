package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Comm;
import mpi.Errhandler;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Tests making, comparing and naming communicators, error handlers, to which rank a thread belongs, and the life cycle
 * of MPI.
 */
class CommunicatorCallsTest {
    @Test
    void shouldDuplicateAndCompare() {
        Worlds.run(3, (world, rank) -> {
            Intracomm dup = world.dup();
            Intracomm clone = world.clone();
            Intracomm reversed = world.split(0, -rank);
            Intracomm half = world.split(rank == 0 ? 0 : 1, 0);

            assertThat(Comm.compare(world, MPI.COMM_WORLD)).isEqualTo(MPI.IDENT);
            assertThat(Comm.compare(world, dup)).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(world, clone)).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(dup, clone)).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(world, reversed)).isEqualTo(MPI.SIMILAR);
            assertThat(Comm.compare(world, half)).isEqualTo(MPI.UNEQUAL);
            assertThat(Comm.compare(MPI.COMM_SELF, MPI.COMM_SELF)).isEqualTo(MPI.IDENT);
            assertThat(reversed.getRank()).isEqualTo(2 - rank);
            assertThat(half.getSize()).isEqualTo(rank == 0 ? 1 : 2);
            dup.free();
            assertThat(dup.isNull()).isTrue();
            assertThat(world.isNull()).isFalse();
        });
    }

    @Test
    void shouldGiveTheNullCommunicatorToThoseLeftOut() {
        Worlds.run(4, (world, rank) -> {
            Intracomm even = world.split(rank % 2 == 0 ? 7 : MPI.UNDEFINED, 0);
            assertThat(even.isNull()).isEqualTo(rank % 2 == 1);

            Group two = world.getGroup().incl(new int[] {3, 1});
            Intracomm created = world.create(two);
            assertThat(created.isNull()).isEqualTo(rank % 2 == 0);
            if (rank % 2 == 1) {
                assertThat(created.getRank()).isEqualTo(rank == 3 ? 0 : 1);
                Intracomm ofGroup = world.createGroup(two, 5);
                assertThat(Comm.compare(created, ofGroup)).isEqualTo(MPI.CONGRUENT);
                int[] sum = {rank};
                ofGroup.allReduce(sum, 1, MPI.INT, MPI.SUM);
                assertThat(sum).containsExactly(4);
                assertThat(two.getRank()).isEqualTo(created.getRank());
            } else {
                assertThat(world.createGroup(two, 5).isNull()).isTrue();
                assertThat(two.getRank()).isEqualTo(MPI.UNDEFINED);
                assertThatThrownBy(created::getSize)
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("left this rank out");
            }
        });
    }

    @Test
    void shouldMakeCommunicatorsOfDisjointGroupsInOneCall() {
        Worlds.run(5, (world, rank) -> {
            int[][] places = {{1, 0}, {2, 3}};
            Group mine = rank == 4 ? MPI.GROUP_EMPTY : world.getGroup().incl(places[rank / 2]);
            Intracomm created = world.create(mine);
            assertThat(created.isNull()).isEqualTo(rank == 4);
            if (rank < 4) {
                assertThat(created.getRank()).isEqualTo(rank < 2 ? 1 - rank : rank - 2);
                int[] sum = {rank};
                created.allReduce(sum, 1, MPI.INT, MPI.SUM);
                assertThat(sum).containsExactly(rank < 2 ? 1 : 5);
            }
        });
    }

    @Test
    void shouldNameCommunicators() {
        Worlds.run(2, (world, rank) -> {
            assertThat(world.getName()).isEqualTo("MPI_COMM_WORLD");
            assertThat(MPI.COMM_SELF.getName()).isEqualTo("MPI_COMM_SELF");
            Intracomm dup = world.dup();
            assertThat(dup.getName()).isEmpty();
            dup.setName("halo " + rank);
            assertThat(dup.getName()).isEqualTo("halo " + rank);
            assertThatThrownBy(() -> dup.send(null, 0, MPI.INT, 9, 0)).hasMessageContaining("\"halo " + rank + "\"");
            String longest = "x".repeat(MPI.MAX_OBJECT_NAME);
            dup.setName(longest + "y");
            assertThat(dup.getName()).isEqualTo(longest);
            String character = new String(Character.toChars(0x1F600));
            dup.setName(longest.substring(1) + character);
            assertThat(dup.getName()).isEqualTo(longest.substring(1));
            assertThat(dup.dup().getName()).isEmpty();
            world.setName("mine");
            assertThat(world.getName()).isEqualTo("mine");
            assertThat(dup.getRequest()).isSameAs(MPI.REQUEST_NULL);
        });
    }

    @Test
    void shouldSayWhatACommunicatorIs() {
        Worlds.run(2, (world, rank) -> {
            assertThat(world).hasToString("COMM_WORLD, rank " + rank + " of 2");
            assertThat(MPI.COMM_SELF).hasToString("COMM_SELF, rank 0 of 1");
            Intracomm dup = world.dup();
            dup.setName("halo");
            assertThat(dup.toString()).contains(" \"halo\", rank " + rank + " of 2");
            dup.free();
            assertThat(dup).hasToString("null communicator");
        });
        assertThat(MPI.COMM_WORLD).as("to a thread of no rank").hasToString("null communicator");
    }

    @Test
    void shouldHandDownErrorHandlersAndKeepThemApart() {
        Worlds.run(2, (world, rank) -> {
            assertThat(world.getErrhandler()).isSameAs(MPI.ERRORS_RETURN);
            Intracomm dup = world.dup();
            dup.setErrhandler(MPI.ERRORS_ABORT);
            assertThat(dup.dup().getErrhandler()).isSameAs(MPI.ERRORS_ABORT);
            assertThat(dup.split(0, 0).getErrhandler()).isSameAs(MPI.ERRORS_ABORT);
            assertThat(world.getErrhandler()).isSameAs(MPI.ERRORS_RETURN);
            world.callErrhandler(MPI.ERR_OTHER);
        });
    }

    @Test
    void shouldEndTheJobWhereErrorsAreFatal() {
        for (Errhandler handler : new Errhandler[] {MPI.ERRORS_ARE_FATAL, MPI.ERRORS_ABORT}) {
            LocalResult result = LocalWorld.run(2, () -> {
                MPI.Init(new String[0]);
                MPI.COMM_WORLD.setErrhandler(handler);
                if (MPI.COMM_WORLD.getRank() == 0) {
                    MPI.COMM_WORLD.send(null, 1, MPI.INT, 1, 0);
                }
                MPI.COMM_WORLD.barrier();
            });
            assertThat(result.isAborted()).as("%s", handler).isTrue();
            assertThat(result.abortCode()).isEqualTo(MPI.ERR_BUFFER);
        }
    }

    @Test
    void shouldCallAHandlerOfTheProgramBeforeTheCallThrows() {
        Worlds.run(1, (world, rank) -> {
            List<String> seen = new ArrayList<>();
            Errhandler handler = Comm.createErrhandler(
                    (comm, error) -> seen.add((comm == MPI.COMM_SELF ? "COMM_SELF " : comm.getName() + " ") + error));
            assertThat(handler).hasToString("error handler of the program");
            Intracomm dup = world.dup();
            dup.setName("dup");
            dup.setErrhandler(handler);

            assertThatThrownBy(() -> dup.send(null, 1, MPI.INT, 0, 0)).isInstanceOf(MPIException.class);
            assertThatThrownBy(() -> world.send(null, 1, MPI.INT, 0, 0)).isInstanceOf(MPIException.class);
            dup.callErrhandler(MPI.ERR_OTHER);
            MPI.COMM_SELF.setErrhandler(dup.dup().getErrhandler());
            assertThatThrownBy(() -> new Op(null, true)).isInstanceOf(MPIException.class);
            assertThat(seen)
                    .containsExactly("dup " + MPI.ERR_BUFFER, "dup " + MPI.ERR_OTHER, "COMM_SELF " + MPI.ERR_OP);
        });
        assertThatThrownBy(() -> Comm.createErrhandler(null))
                .hasMessage("createErrhandler: function is null; allowed: a function");
    }

    @Test
    void shouldThrowWhatAHandlerOfTheProgramThrows() {
        Worlds.run(1, (world, rank) -> {
            IllegalStateException own = new IllegalStateException("of the handler");
            world.setErrhandler(Comm.createErrhandler((comm, error) -> {
                throw own;
            }));
            assertThatThrownBy(() -> world.recv(new int[1], 2, MPI.INT, 0, 0)).isSameAs(own);
            Request request = world.iRecv(IntBuffer.allocate(1), 1, MPI.INT, 0, 7);
            world.send(new int[2], 2, MPI.INT, 0, 7);
            assertThatThrownBy(request::waitFor).isSameAs(own);
            assertThat(request.isNull()).isTrue();
        });
    }

    @Test
    void shouldStartWithTheHandlerThatWasAskedFor() {
        Worlds.run(LocalWorld.of(1).initialErrorHandler("mpi_errors_abort"), (world, rank) -> {
            assertThat(world.getErrhandler()).isSameAs(MPI.ERRORS_ABORT);
            assertThat(MPI.COMM_SELF.getErrhandler()).isSameAs(MPI.ERRORS_ABORT);
        });
    }

    @Test
    void shouldLetPoolsWorkForTheRankThatBoundTheTask() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            Worlds.run(3, (world, rank) -> {
                AtomicReference<Object> seen = new AtomicReference<>();
                pool.submit(MPI.bindThread(() -> seen.set(MPI.COMM_WORLD.getRank())))
                        .get();
                assertThat(seen.get()).isEqualTo(rank);
                pool.submit(() -> {
                            try {
                                MPI.COMM_WORLD.getRank();
                            } catch (MPIException noRank) {
                                seen.set(noRank.getMessage());
                            }
                        })
                        .get();
                assertThat(seen.get()).asString().contains("works for no rank").contains("MPI.bindThread");
            });
        } finally {
            pool.shutdown();
            assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldRefuseACommunicatorOfAnotherRank() {
        AtomicReference<Intracomm> shared = new AtomicReference<>();
        Worlds.run(2, (world, rank) -> {
            Intracomm dup = world.dup();
            if (rank == 0) {
                shared.set(dup);
            }
            world.barrier();
            if (rank == 1) {
                assertThatThrownBy(() -> shared.get().getRank())
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("made by process 0 but the calling thread works for process 1");
            }
            world.barrier();
        });
    }

    @Test
    void shouldKnowItsLifeCycle() {
        LocalWorld.run(1, () -> {
                    assertThat(MPI.isInitialized()).isFalse();
                    assertThat(MPI.isFinalized()).isFalse();
                    assertThat(MPI.Init(new String[] {"a", "b"})).containsExactly("a", "b");
                    assertThat(MPI.isInitialized()).isTrue();
                    assertThat(MPI.isThreadMain()).isTrue();
                    CompletableFuture<Boolean> ofAnother = new CompletableFuture<>();
                    new Thread(MPI.bindThread(() -> ofAnother.complete(MPI.isThreadMain()))).start();
                    assertThat(ofAnother.join()).isFalse();
                    assertThat(MPI.queryThread()).isEqualTo(MPI.THREAD_MULTIPLE);
                    assertThat(MPI.hasFaultTolerance()).isTrue();
                    assertThat(MPI.getIncarnation()).isZero();
                    assertThat(MPI.getProcessorName()).isNotBlank();
                    assertThat(MPI.wtick()).isEqualTo(1e-9);
                    double before = MPI.wtime();
                    assertThat(MPI.wtime()).isGreaterThanOrEqualTo(before);
                    assertThatThrownBy(() -> MPI.Init(new String[0])).hasMessage("Init: MPI is already initialized");
                    MPI.Finalize();
                    assertThat(MPI.isFinalized()).isTrue();
                    assertThat(MPI.isInitialized()).isTrue();
                    assertThatThrownBy(MPI::Finalize).hasMessage("Finalize: MPI is finalized");
                    MPI.pControl(1, null);
                    assertThatThrownBy(() -> MPI.COMM_WORLD.getRank()).hasMessage("getRank: MPI is finalized");
                    assertThatThrownBy(() -> MPI.Init(new String[0])).hasMessage("Init: MPI is already finalized");
                })
                .requireSurvivorsSucceeded();
    }
}
