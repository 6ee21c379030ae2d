package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** What is handed on to a part of a process that was made later. */
class AnnouncementsTest {
    private static final Membership WORLD = Membership.initial(3);

    private final Announcements before = new Announcements();
    private final Announcements after = new Announcements();

    @Test
    void shouldKeepThatNoOtherProcessComesForASlotForWhichOneHasWaited() {
        before.pending(new Contact(new ProcessId(1, 1), 5, new byte[0]));
        before.noMore(1, "no restart is left");
        assertThat(after.takeOver(before)).hasSize(1);
        assertThat(after.why(1)).isEqualTo("no restart is left");
        FailureSet failures = new FailureSet();
        failures.markFailed(new ProcessId(1, 1), null, 0);
        assertThat(after.settle(SlotSet.of(1), WORLD, failures)).isTrue();
    }

    @Test
    void shouldKeepThatNoProcessIsStartedAnyMore() {
        before.noMore("mpiexec is gone");
        after.takeOver(before);
        assertThat(after.why(2)).isEqualTo("mpiexec is gone");
        assertThat(after.settle(SlotSet.of(2), WORLD, new FailureSet())).isTrue();
    }
}
