package org.ulfmj.runtime.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.waits.Reports.call;
import static org.ulfmj.runtime.waits.Reports.computing;
import static org.ulfmj.runtime.waits.Reports.fromAny;
import static org.ulfmj.runtime.waits.Reports.holding;
import static org.ulfmj.runtime.waits.Reports.need;
import static org.ulfmj.runtime.waits.Reports.receiving;
import static org.ulfmj.runtime.waits.Reports.waiting;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class WaitPageTest {
    @Test
    void shouldPointOutTheDeadlockOfTwo() {
        assertThat(WaitPage.of(List.of(receiving(0, 4, 1), receiving(1, 3.96, 0))))
                .containsExactly(
                        "  ranks 0, 1  wait for 4.0 s in recv on COMM_WORLD (0 for 1, 1 for 0), tag 1,"
                                + " at demo.Main.run(Main.java:9)",
                        "  => deadlock: rank 0 waits for 1, 1 for 0");
    }

    @Test
    void shouldPointOutTheRankForWhichAllOthersWait() {
        List<RankView> ranks = new ArrayList<>();
        ranks.add(waiting(0, call(4, "barrier", need("barrier", "", 6, 2))));
        ranks.add(waiting(1, call(4.1, "barrier", need("barrier", "", 6, 0))));
        ranks.add(waiting(2, call(4, "barrier", need("barrier", "", 6, 3))));
        ranks.add(computing(3, 4.2));
        assertThat(WaitPage.of(ranks))
                .containsExactly(
                        "  ranks 0-2  wait for 4.0-4.1 s in barrier on COMM_WORLD (0 for 2, 1 for 0, 2 for 3),"
                                + " at demo.Main.run(Main.java:9)",
                        "  rank 3     computes for 4.2 s outside MPI, at demo.Heat.relax(Heat.java:40)",
                        "  => every other rank waits for rank 3, which computes for 4.2 s outside MPI;"
                                + " directly or through others");
    }

    @Test
    void shouldCountAmongTheOtherAwaitedRanksOnlyThoseThatThePageHas() {
        List<RankView> ranks = new ArrayList<>();
        for (int slot = 0; slot < 10; slot++) {
            ranks.add(computing(slot, 3));
        }
        for (int slot = 20; slot < 33; slot++) {
            ranks.add(receiving(slot, 3, slot - 20));
        }
        assertThat(WaitPage.of(ranks)).last().isEqualTo("  => and for 2 more ranks that do not wait themselves");
    }

    @Test
    void shouldNameTheDeadTheDepartedTheSilentAndTheLate() {
        assertThat(WaitPage.of(List.of(
                        receiving(0, 2, 4),
                        RankView.gone(1, "was killed by signal 9 (KILL)"),
                        RankView.gone(2, "was killed by signal 9 (KILL)"),
                        RankView.gone(3, "has finalized"),
                        RankView.silent(4, "does not answer; its process is stopped (state T)"),
                        RankView.silent(5, "has not called MPI.Init"))))
                .containsExactly(
                        "  rank 0      waits for 2.0 s in recv on COMM_WORLD for rank 4, tag 1,"
                                + " at demo.Main.run(Main.java:9)",
                        "  ranks 1, 2  were killed by signal 9 (KILL)",
                        "  rank 3      has finalized",
                        "  rank 4      does not answer; its process is stopped (state T)",
                        "  rank 5      has not called MPI.Init",
                        "  => rank 0 waits for rank 4, which does not answer; its process is stopped (state T)");
    }

    @Test
    void shouldTellCollectiveCallsThatDoNotMatch() {
        assertThat(WaitPage.of(List.of(
                        waiting(0, call(2, "barrier", need("barrier", "", 6, 1))),
                        waiting(1, call(2, "bcast", need("bcast", "", 6, 0))))))
                .contains(
                        "  => collective call 6 on COMM_WORLD is barrier at rank 0, bcast at rank 1:"
                                + " all members must make the same calls in the same order",
                        "  => deadlock: rank 0 waits for 1, 1 for 0");
    }

    @Test
    void shouldListAllThatAWaitNeedsOnACommunicatorWithRanksOfItsOwn() {
        Need agree = new Need(
                "agree", "agreement 3", "shrunk COMM_WORLD", 0xabcdL, 3, -1, false, List.of(new AwaitedRank(1, 2)));
        Wait several = new Wait("", Reports.SECOND, "waitAll", "", false, List.of(need("send", "tag 2", -1, 1)), 9);
        assertThat(WaitPage.of(List.of(waiting(0, call(1, "agree", agree)), waiting(1, several), computing(2, 0))))
                .contains(
                        "  rank 0  waits for 1.0 s in agree on shrunk COMM_WORLD (3 ranks, id abcd) for rank 2 (1 there),"
                                + " agreement 3, at demo.Main.run(Main.java:9)",
                        "  rank 1  waits for 1.0 s in waitAll for: send on COMM_WORLD for rank 1, tag 2; 9 more");
    }

    @Test
    void shouldCountWhatLiesUnread() {
        assertThat(WaitPage.of(List.of(holding(0, 3, 0, 1), holding(1, 0, 17), holding(2, 1, 2, 1))))
                .containsExactly(
                        "  ranks 0-2  compute for 1.0 s outside MPI",
                        "  messages for communicators that their receiver has not made yet: 3 at rank 0, 1 at rank 2",
                        "  messages that have arrived and that no receive has asked for: 17 at rank 1, 2 at rank 2",
                        "  => rank 1 is held for failed by ranks 0, 2");
    }

    @Test
    void shouldCallItADeadlockWhenAllWaitForAnySender() {
        assertThat(WaitPage.of(
                        List.of(waiting(0, call(3, "recv", fromAny())), waiting(1, call(3, "probe", fromAny())))))
                .last()
                .isEqualTo("  => deadlock: rank 0 waits for 1, 1 for 0");
    }

    @Test
    void shouldCallNothingADeadlockWhileARankCouldStillSend() {
        assertThat(WaitPage.of(List.of(waiting(0, call(3, "recv", fromAny())), computing(1, 3), receiving(2, 3, 0))))
                .noneMatch(line -> line.contains("deadlock"));
        assertThat(WaitPage.of(List.of(receiving(0, 0.2, 1), receiving(1, 0.2, 0))))
                .as("reports of waits that have only begun are not of one moment")
                .noneMatch(line -> line.contains("deadlock"));
    }

    @Test
    void shouldShowThreadsBesidesTheMainOne() {
        Wait other = new Wait("worker", Reports.SECOND, "recv", "", false, List.of(fromAny()), 0);
        Activity main = new Activity(Activity.Kind.IN_OPERATOR, 0, "reduce", "demo.Op.call(Op.java:3)");
        WaitReport report =
                new WaitReport(ProcessId.of(0), main, List.of(other), 2, 0, 0, List.of(), new Stillness(0, 0, false));
        assertThat(WaitPage.of(List.of(RankView.of(report))))
                .containsExactly(
                        "  rank 0                 runs an operator of the program in reduce, at demo.Op.call(Op.java:3)",
                        "  rank 0, thread worker  waits for 1.0 s in recv on COMM_WORLD for any rank, any tag",
                        "  rank 0                 has 2 more threads that wait in MPI");
    }

    @Test
    void shouldStayShortWhateverALargeWorldDoes() {
        List<RankView> ring = new ArrayList<>();
        List<RankView> mixed = new ArrayList<>();
        for (int slot = 0; slot < 4096; slot++) {
            ring.add(receiving(slot, 3, (slot + 1) % 4096));
            Wait own = new Wait(
                    "",
                    3 * Reports.SECOND,
                    "recv",
                    "demo.Main.run(Main.java:" + slot + ")",
                    false,
                    List.of(need("receive", "tag 1", -1, slot ^ 1)),
                    0);
            mixed.add(waiting(slot, own));
        }
        assertThat(WaitPage.of(ring)).hasSize(2).allMatch(line -> line.length() < 500);
        assertThat(WaitPage.of(ring).get(1)).endsWith("and so on, 4096 ranks in a circle");
        assertThat(WaitPage.of(mixed)).hasSizeLessThan(100).allMatch(line -> line.length() < 500);
    }
}
