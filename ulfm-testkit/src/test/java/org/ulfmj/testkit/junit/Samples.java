package org.ulfmj.testkit.junit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Resilient;

/** Test classes that {@link SimulatedMpiTest} runs as a user would; they are not tests of this module themselves. */
final class Samples {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private Samples() {}

    static class Right {
        static final List<Long> SEEDS = new ArrayList<>();
        private static SimulatedRank lastRun;

        @SimulatedMpi(ranks = 3, seeds = 30, faults = "kill:rank=any(1)@op=*")
        void finishesUnderAnyDeaths(SimulatedRank test) {
            // Notes each seed once per run, whichever rank comes first and whichever dies: the ranks of a run share one
            // SimulatedRank object.
            if (test != lastRun) {
                lastRun = test;
                SEEDS.add(test.seed());
            }
            MPI.Init(new String[0]);
            Intracomm left = Resilient.run(WORLD, comm -> {
                for (int i = 0; i < 5; i++) {
                    comm.barrier();
                }
            });
            test.result(left.getSize());
            MPI.Finalize();
        }

        @SimulatedMpi(ranks = 2, seeds = 5)
        void sendsRandomNumbersOfItsSeed(SimulatedRank test) {
            MPI.Init(new String[0]);
            int number = test.random().nextInt();
            int[] all = new int[2];
            WORLD.allGather(new int[] {number}, 1, MPI.INT, all, 1, MPI.INT);
            if (all[0] == all[1]) {
                throw new IllegalStateException("both ranks drew " + number);
            }
            MPI.Finalize();
        }

        @SimulatedMpi(
                ranks = 2,
                seeds = 3,
                mayAbortWith = {3, 7})
        void abortsAsExpected() {
            MPI.Init(new String[0]);
            WORLD.abort(7);
        }
    }

    static class Wrong {
        /**
         * Ranks give different results: a rank whose bcast raises a failure stops, while others may complete more
         * rounds.
         */
        @SimulatedMpi(ranks = 3, seeds = 50, faults = "kill:rank=any(1)@op=*")
        void givesResultsThatDiffer(SimulatedRank test) {
            MPI.Init(new String[0]);
            int rounds = 0;
            try {
                for (; rounds < 4; rounds++) {
                    WORLD.bcast(new int[1], 1, MPI.INT, 0);
                }
            } catch (ProcFailedException death) {
                // Ignores that other ranks may have completed more rounds.
            }
            test.result(rounds);
            MPI.Finalize();
        }

        @SimulatedMpi(ranks = 4, seeds = 50, faults = "kill:rank=any(2)@op=*")
        void throwsWhenARankDies() {
            MPI.Init(new String[0]);
            WORLD.barrier();
            WORLD.barrier();
            MPI.Finalize();
        }

        /**
         * A common mistake: the rank that notices a death leaves its loop and tells no other rank, while others wait
         * for it.
         */
        @SimulatedMpi(ranks = 5, seeds = 50, faults = "kill:rank=any(1)@op=*")
        void waitsForOneThatTurnedAway() {
            MPI.Init(new String[0]);
            int rank = WORLD.getRank();
            try {
                for (int round = 0; round < 4; round++) {
                    int before = rank == 0 ? MPI.PROC_NULL : rank - 1;
                    int next = rank == WORLD.getSize() - 1 ? MPI.PROC_NULL : rank + 1;
                    WORLD.recv(new int[1], 1, MPI.INT, before, 0);
                    WORLD.sSend(new int[1], 1, MPI.INT, next, 0);
                }
            } catch (ProcFailedException death) {
                // Tells no other rank.
            }
            MPI.Finalize();
        }

        @SimulatedMpi(ranks = 2, seeds = 5)
        void forgetsFinalize() {
            MPI.Init(new String[0]);
        }

        @SimulatedMpi(ranks = 2, seeds = 5, mayAbortWith = 3)
        void abortsWithAnotherCode() {
            MPI.Init(new String[0]);
            WORLD.abort(7);
        }
    }

    static class Undetermined {
        @SimulatedMpi(ranks = 2, seeds = 1)
        void sendsWhatAHashSetGivesFirst() {
            Set<Object> objects = new HashSet<>();
            List<Object> inOrder = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Object object = new Object();
                objects.add(object);
                inOrder.add(object);
            }
            int[] order = objects.stream().mapToInt(inOrder::indexOf).toArray();
            sum(order);
        }

        @SimulatedMpi(ranks = 2, seeds = 1)
        void sendsTheTime() {
            sum((int) System.nanoTime());
        }

        @SimulatedMpi(ranks = 2, seeds = 1)
        void sendsARandomNumber() {
            sum((int) (Math.random() * Integer.MAX_VALUE));
        }

        /** Two runs of the seed differ in the number of calls, and not in the data that is sent. */
        @SimulatedMpi(ranks = 2, seeds = 1)
        void callsOftenerOnAFastMachine() {
            MPI.Init(new String[0]);
            long untilNs = System.nanoTime() + 3_000_000;
            do {
                WORLD.iProbe(MPI.ANY_SOURCE, 0);
            } while (System.nanoTime() - untilNs < 0);
            MPI.Finalize();
        }

        /**
         * Two runs of the seed differ in how often iProbe is called. The random numbers follow from the seed and are
         * the same in both.
         */
        @SimulatedMpi(ranks = 2, seeds = 1)
        void callsAnotherOperationEachRun(SimulatedRank test) {
            MPI.Init(new String[0]);
            WORLD.allReduce(new int[] {test.random().nextInt()}, 1, MPI.INT, MPI.SUM);
            for (int i = operations++; i < 100; i++) {
                WORLD.iProbe(MPI.ANY_SOURCE, 7);
            }
            MPI.Finalize();
        }

        private static int operations;

        private static int runs;

        @SimulatedMpi(ranks = 2, seeds = 1)
        void remembersTheRunBefore() {
            sum(runs++);
        }

        private static void sum(int... values) {
            MPI.Init(new String[0]);
            WORLD.allReduce(values, values.length, MPI.INT, MPI.SUM);
            MPI.Finalize();
        }
    }

    static class Misused {
        @SimulatedMpi(ranks = 0)
        void hasNoRanks() {}

        @SimulatedMpi(seeds = -1)
        void hasNoSeeds() {}

        @SimulatedMpi(minimiseSeconds = 100_000)
        void minimisesForDays() {}

        @SimulatedMpi(ranks = 4, faults = "kil:rank=2@op=*")
        void misspellsAFault() {}

        @SimulatedMpi(ranks = 4, faults = "kill:rank=4@op=*")
        void killsARankThatIsNotThere() {}

        @SimulatedMpi(ranks = 4, faults = "kill:rank=1@op=alreduce")
        void misspellsAnOperation() {}

        @SimulatedMpi
        void hasAnotherParameter(String what) {}
    }
}
