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
            // Once a run, no matter which rank comes first and which die: the ranks of a run share what they are given.
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
        /** The second allReduce of a rank that has seen a failure is the others' first. */
        @SimulatedMpi(ranks = 3, seeds = 50, faults = "kill:rank=any(1)@op=*")
        void givesResultsThatDiffer(SimulatedRank test) {
            MPI.Init(new String[0]);
            int rounds = 0;
            try {
                for (; rounds < 4; rounds++) {
                    WORLD.bcast(new int[1], 1, MPI.INT, 0);
                }
            } catch (ProcFailedException death) {
                // Forgets that the others may have come further.
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

        /** The classic: the rank that notices turns away and tells no other, while others wait for it. */
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

        /** Not what is sent differs but how often. */
        @SimulatedMpi(ranks = 2, seeds = 1)
        void callsOftenerOnAFastMachine() {
            MPI.Init(new String[0]);
            long untilNs = System.nanoTime() + 3_000_000;
            do {
                WORLD.iProbe(MPI.ANY_SOURCE, 0);
            } while (System.nanoTime() - untilNs < 0);
            MPI.Finalize();
        }

        /** Its random numbers follow from its seed, and are no difference. */
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
