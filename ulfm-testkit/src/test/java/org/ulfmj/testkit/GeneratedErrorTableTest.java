package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.ulfmj.testkit.TableCase.Dead;
import org.ulfmj.testkit.TableCase.When;
import org.ulfmj.testkit.TableRow.Kind;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * The table of errors as generated cases: each operation, with a failure or a revocation (or both) before it, in the
 * middle of it or after it, acknowledged or not. Rank 0 does the operation; the error that it gets must be one that the
 * table allows, and every survivor must reach the end of Finalize. Runs in simulated time, each case with
 * {@code -Dtable.seeds} seeds.
 */
class GeneratedErrorTableTest {
    private static final long SEEDS = Long.getLong("table.seeds", 1);
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int RANKS = 6;
    private static final int OTHER = 2;
    private static final int REVOKER = 3;
    private static final int DEAD_EARLIER = 4;
    private static final int GO = 9;
    private static final int DONE = 10;
    private static final double LATER_S = 0.05;
    private static final Set<Integer> ERRORS_OF_OTHERS = Set.of(MPI.SUCCESS, MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);

    /**
     * Tests every third case of each operation: the cases with (row + case) divisible by 3, so that neighbouring
     * operations are tested in different cases. The method below tests all.
     */
    @TestFactory
    Stream<DynamicTest> shouldRaiseWhatTheTableAllows() {
        List<TableRow<? extends Comm>> rows = TableRows.all().toList();
        List<TableCase> cases = TableCase.all().toList();
        return IntStream.range(0, rows.size()).boxed().flatMap(row -> IntStream.range(0, cases.size())
                .filter(each -> (row + each) % 3 == 0)
                .mapToObj(cases::get)
                .filter(rows.get(row)::has)
                .map(each -> test(rows.get(row), each)));
    }

    @TestFactory
    @Tag("release")
    Stream<DynamicTest> shouldRaiseWhatTheTableAllowsInEachCase() {
        return TableRows.all().flatMap(row -> TableCase.all().filter(row::has).map(each -> test(row, each)));
    }

    private static DynamicTest test(TableRow<? extends Comm> row, TableCase each) {
        return DynamicTest.dynamicTest(row + ", " + each, () -> check(row, each));
    }

    private static void check(TableRow<? extends Comm> row, TableCase each) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = SimWorld.of(RANKS).seed(seed).run(program(rank -> new Part<>(row, each, rank).play()));
            result.ends().requireSurvivorsSucceeded();
            int deaths = (each.hasDeath() ? 1 : 0) + (row.hasEarlierDeath(each) ? 1 : 0);
            assertThat(result.ends().ranks(RankEnd.KILLED)).hasSize(deaths);
        }
    }

    /** What one rank does in a case. */
    private static final class Part<C extends Comm> {
        private final TableRow<C> row;
        private final TableCase each;
        private final int rank;
        private final int dead;
        private final C comm;

        Part(TableRow<C> row, TableCase each, int rank) {
            this.row = row;
            this.each = each;
            this.rank = rank;
            this.dead = each.dead() == Dead.PEER ? TableRows.PEER : OTHER;
            this.comm = row.comm().apply(WORLD);
        }

        void play() {
            meet();
            if (each.isOf(When.AFTER)) {
                completeFirst();
            }
            if (each.isOf(When.DURING)) {
                dieIf(rank == DEAD_EARLIER && row.hasEarlierDeath(each));
                playInTheMiddle();
            } else {
                letHappen();
                playAtOnce();
            }
        }

        /**
         * Plays the first part of a case in which the operation completes before the failure or revocation, and these
         * events. Where the operation is the request of a message, rank 0 waits for it only after them.
         */
        private void completeFirst() {
            Runnable completion = null;
            if (rank == 0) {
                completion = row.begin().apply(comm);
                if (!row.isRequest() || row.isCollective()) {
                    completion.run();
                    completion = null;
                }
                WORLD.recv(new int[1], 1, MPI.INT, TableRows.PEER, DONE);
            } else if (row.isCollective() || rank == TableRows.PEER) {
                row.others().accept(comm);
            }
            if (rank == TableRows.PEER) {
                // This DONE message follows the message that completes the request of rank 0: messages from one rank to
                // another do not overtake each other, so the request can complete once rank 0 has received DONE.
                WORLD.send(new int[1], 1, MPI.INT, 0, DONE);
            }
            meet();
            letHappen();
            if (rank == 0 && completion != null) {
                awaitAll();
                assertThat(errorClass(completion::run)).isEqualTo(MPI.SUCCESS);
            }
        }

        private void letHappen() {
            dieIf(each.hasDeath() && rank == dead);
            if (each.isRevoked() && rank == REVOKER) {
                comm.revoke();
            }
        }

        private void awaitAll() {
            if (each.hasDeath()) {
                awaitFailed(WORLD, dead);
            }
            while (each.isRevoked() && !comm.isRevoked()) {
                comm.getFailed(); // unlike isRevoked, it lets simulated time pass
            }
        }

        /**
         * Waits in a barrier until all ranks have reached this point. The first rank to leave the barrier may die at
         * once, so ranks still in the barrier may get an error, which is ignored.
         */
        private static void meet() {
            errorClass(WORLD::barrier);
        }

        private void playAtOnce() {
            if (rank == 0) {
                awaitAll();
                acknowledge();
                boolean isToComplete = row.allowed(each).contains(MPI.SUCCESS);
                if (isToComplete) {
                    release();
                }
                judge(row.begin().apply(comm), isToComplete);
            } else if (row.isCollective()) {
                awaitAll();
                if (row.kind() == Kind.AGREEMENT) {
                    acknowledge();
                }
                assertThat(errorClass(() -> row.others().accept(comm))).isIn(ERRORS_OF_OTHERS);
            } else {
                takePart();
            }
        }

        private void playInTheMiddle() {
            if (rank == 0) {
                if (row.hasEarlierDeath(each)) {
                    awaitFailed(WORLD, DEAD_EARLIER);
                    acknowledge();
                }
                Runnable completion = row.begin().apply(comm);
                IntStream.of(TableRows.PEER, OTHER, REVOKER).forEach(this::go);
                judge(completion, false);
                return;
            }
            if (rank == TableRows.PEER || rank == OTHER || rank == REVOKER) {
                awaitGo();
                double end = MPI.wtime() + LATER_S;
                while (MPI.wtime() < end) {
                    WORLD.getFailed();
                }
            }
            letHappen();
            if (row.isCollective()) {
                awaitAll();
                assertThat(errorClass(() -> row.others().accept(comm))).isIn(ERRORS_OF_OTHERS);
            } else if (row.kind() == Kind.NAMED || row.kind() == Kind.STORED) {
                if (rank == TableRows.PEER) {
                    awaitAll();
                    errorClass(() -> row.others().accept(comm));
                }
            } else {
                takePart();
            }
        }

        /**
         * Checks that rank 0 gets a result which the table allows, and sends GO to a partner that still waits for it.
         * After a PROC_FAILED_PENDING, rank 0 acknowledges the failure before that, and waits for the request again
         * after it.
         */
        private void judge(Runnable completion, boolean isReleased) {
            int error = errorClass(completion::run);
            assertThat(error).as("%s, %s", row, each).isIn(row.allowed(each));
            if (!isReleased && !waitsByItself()) {
                if (error == MPI.ERR_PROC_FAILED_PENDING) {
                    awaitAll();
                    comm.ackFailed();
                }
                release();
                if (error == MPI.ERR_PROC_FAILED_PENDING) {
                    assertThat(errorClass(completion::run))
                            .as("%s, %s, again", row, each)
                            .isEqualTo(each.isRevoked() ? MPI.ERR_REVOKED : MPI.SUCCESS);
                }
            }
        }

        /**
         * Whether the operation ends without {@code release}: the other ranks act by themselves once they know of the
         * failure or revocation.
         */
        private boolean waitsByItself() {
            boolean isNamed = row.kind() == Kind.NAMED || row.kind() == Kind.STORED;
            return row.isCollective() || each.isOf(When.DURING) && isNamed;
        }

        private void acknowledge() {
            if (each.isAcked()) {
                comm.ackFailed();
            }
        }

        /**
         * Sends the GO message to the partner of the operation, if there is a live one: it then makes the one call that
         * can complete the operation.
         */
        private void release() {
            if (!row.isCollective() && partner() >= 0) {
                go(partner());
            }
        }

        private void takePart() {
            if (rank == partner()) {
                awaitGo();
                errorClass(() -> row.others().accept(comm));
            }
        }

        /**
         * Returns the rank whose call completes the operation: rank 1. If rank 1 dies in the case, returns another rank
         * where the operation takes a message from any member, and -1 where no rank can complete it.
         */
        private int partner() {
            if (each.dead() != Dead.PEER) {
                return TableRows.PEER;
            }
            boolean isForAny = row.kind() == Kind.WILDCARD || row.kind() == Kind.WILDCARD_REQUEST;
            return isForAny ? REVOKER : -1;
        }

        private void go(int to) {
            WORLD.send(new int[1], 1, MPI.INT, to, GO);
        }

        private void awaitGo() {
            WORLD.recv(new int[1], 1, MPI.INT, 0, GO);
        }
    }
}
