package org.ulfmj.rabit.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.SimResult;

/**
 * In each run at most one rank is killed: each rank at each operation and checkpoint of each version, at passages of
 * each named point and at 32 bytes of all that it sends (16 in the short form). The model is that of the run without a
 * failure, to the bit, and no rank hangs. {@code -Dsweep.seeds=50} does so on 50 schedules.
 */
class KillSweepTest {
    private static final int RANKS = 4;
    private static final long SEEDS = Long.getLong("sweep.seeds", 1);
    private static final long FIRST = Long.getLong("sweep.first", 1);
    private static final int OFFSETS = Boolean.getBoolean("tests.whole") ? 32 : 16;
    private static final int RESTARTS = 3;
    /** How many passages of each point are tried. */
    private static final int PASSAGES = 8;

    private static final List<String> POINTS = List.of(
            "rabit.bootstrap",
            "rabit.before-log",
            "rabit.before-commit",
            "rabit.after-commit",
            "rabit.load",
            "rabit.recover",
            "rabit.fetch",
            "rabit.finalize");

    private record Case(long seed, String faults) {}

    private static byte[] expected(int operations) {
        VersionsProgram program = new VersionsProgram(RANKS, operations);
        program.check(program.run(RESTARTS, 0, "").ends().requireSurvivorsSucceeded(), program.model());
        return program.model();
    }

    private static void sweep(int operations, List<Case> cases) {
        byte[] expected = expected(operations);
        AtomicInteger deaths = new AtomicInteger();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        cases.parallelStream().forEach(each -> {
            VersionsProgram program = new VersionsProgram(RANKS, operations);
            try {
                SimResult result = program.run(RESTARTS, each.seed(), each.faults());
                program.check(result.ends(), expected);
                deaths.addAndGet(result.ends().processes(RankEnd.KILLED).size());
            } catch (RuntimeException | AssertionError e) {
                wrong.add(each + ": " + e.getMessage());
            }
        });
        System.out.println(operations + " operations a version, " + cases.size() + " cases, " + deaths + " deaths, "
                + wrong.size() + " wrong");
        assertThat(wrong).as("%d of %d", wrong.size(), cases.size()).isEmpty();
        assertThat(deaths).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldHaveTheSameModelWhicheverOperationARankDiesAt(int operations) {
        List<Case> cases = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            for (int rank = 0; rank < RANKS; rank++) {
                for (int version = 0; version < VersionsProgram.VERSIONS; version++) {
                    // The last one is the checkpoint.
                    for (int sequence = 0; sequence <= operations; sequence++) {
                        cases.add(new Case(seed, "mock=" + rank + "," + version + "," + sequence + ",0"));
                    }
                }
            }
        }
        sweep(operations, cases);
    }

    @ParameterizedTest
    @ValueSource(ints = {1})
    void shouldHaveTheSameModelWhicheverPointARankDiesAt(int operations) {
        List<Case> cases = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            for (int rank = 0; rank < RANKS; rank++) {
                for (String point : POINTS) {
                    for (int passage = 1; passage <= PASSAGES; passage++) {
                        cases.add(new Case(seed, "kill:rank=" + rank + "@point=" + point + "#" + passage));
                    }
                }
            }
        }
        sweep(operations, cases);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldHaveTheSameModelWhicheverByteARankDiesAt(int operations) {
        List<Case> cases = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            SimResult clean = new VersionsProgram(RANKS, operations).run(RESTARTS, seed, "");
            for (int rank = 0; rank < RANKS; rank++) {
                long sent = clean.processes().get(rank).sentBytes();
                for (int i = 0; i < OFFSETS; i++) {
                    cases.add(new Case(seed, "crash:rank=" + rank + "@byte=" + (1 + i * sent / OFFSETS)));
                }
            }
        }
        sweep(operations, cases);
    }
}
