package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/** Tests the limit of the number of processes that join: one more is refused, and the job's state does not grow. */
class JoinLimitTest {
    private static final long MS = 1_000_000;

    private final RendezvousCore core = new RendezvousCore(
            new RunSpec("job", new WorldSize(1, 3, 100 * MS), 5, 2_000 * MS, 500 * MS), new SilentListener());

    /** Returns what the process is told. */
    private List<RendezvousMessage> join(long nonce) {
        List<RendezvousMessage> told = new ArrayList<>();
        MemberRecord process = Members.member(Joiner.NAMELESS, nonce, nonce);
        Joiner joiner = new Joiner(0, (int) nonce, process);
        core.onMessage(nonce, new RendezvousMessage.JoinAnywhere(joiner, 0, 0), 1, (to, message) -> {
            if (to == nonce) {
                told.add(message);
            }
        });
        return told;
    }

    @Test
    void shouldRefuseWhatComesWhenAsManyHaveJoinedAsCanBeKept() {
        core.limitJoins(2);
        join(10);
        join(11);
        byte[] before = core.image();
        assertThat(join(12)).singleElement().isInstanceOfSatisfying(RendezvousMessage.Out.class, out -> {
            assertThat(out.reason()).isEqualTo(OutReason.REFUSED);
            assertThat(out.text()).startsWith("2 processes have joined this job since it began");
        });
        assertThat(core.image()).as("nothing is kept of it").isEqualTo(before);
        assertThat(join(11)).as("one that is known").noneMatch(RendezvousMessage.Out.class::isInstance);
    }
}
