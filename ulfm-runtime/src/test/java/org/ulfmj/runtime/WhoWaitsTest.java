package org.ulfmj.runtime;

import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.BarrierSchedule;

/** Shows that waits of several kinds name the rank that they wait for when asked, or say that any rank will do. */
class WhoWaitsTest {
    @Test
    void shouldNameTheOneThatEveryKindOfWaitWaitsFor() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        rank.world().recovery().agree(1);
                        Envelope.probe(rank.world(), 1, 5);
                        Messages.receive(rank.world(), 1, 1, 5);
                        rank.world().collectives().run(new BarrierSchedule());
                        Messages.receive(rank.world(), 1, Communicator.ANY_SOURCE, Communicator.ANY_TAG);
                    },
                    rank -> {
                        await(ranks, "agree on COMM_WORLD for rank 1, agreement 1");
                        rank.world().recovery().agree(1);
                        await(ranks, "probe on COMM_WORLD for rank 1, tag 5");
                        Messages.send(rank.world(), new byte[1], 0, 5);
                        await(ranks, "barrier on COMM_WORLD for rank 1");
                        rank.world().collectives().run(new BarrierSchedule());
                        await(ranks, "receive on COMM_WORLD for any rank, any tag");
                        Messages.send(rank.world(), new byte[1], 0, 6);
                        await(ranks, "Finalize on COMM_WORLD for rank 1, agreement 2");
                    });
        }
    }

    @Test
    void shouldNameTheReceiverOfASendThatIsNotTaken() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            int large = 300_000;
            ranks.run(
                    rank -> {
                        Messages.send(rank.world(), new byte[large], 1, 3);
                    },
                    rank -> {
                        await(ranks, "send on COMM_WORLD for rank 1, tag 3, not received yet");
                        // This line appears once rank 1's progress thread has polled: no other thread of rank 1 does.
                        await(ranks, "messages that have arrived and that no receive has asked for: 1 at rank 1");
                        Messages.receive(rank.world(), large, 0, 3);
                    });
        }
    }

    private static void await(LocalRanks ranks, String words) {
        RankPolling.until(() -> "'" + words + "' in:\n" + ranks.describe(), () -> ranks.describe()
                .contains(words));
    }
}
