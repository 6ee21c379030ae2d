package org.ulfmj.agree.change;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * Tests what {@code Announcements} makes of the launcher's announcements, and for which slots no process is to be
 * waited for then.
 */
class AnnouncementsTest {
    private static final Membership WORLD = Membership.initial(3);

    private final Announcements announced = new Announcements();

    @Test
    void shouldSettleASlotWhoseLastProcessHasFailedAndForWhichNoOtherComes() {
        announced.pending(new Contact(new ProcessId(1, 1), 5, new byte[0]));
        announced.noMore(1, "no restart is left");
        assertThat(announced.why(1)).isEqualTo("no restart is left");
        FailureSet failures = new FailureSet();
        failures.markFailed(new ProcessId(1, 1), null, 0);
        assertThat(announced.settle(SlotSet.of(1), WORLD, failures)).isTrue();
    }

    @Test
    void shouldSettleEverySlotWhenNoProcessIsStartedAnyMore() {
        announced.noMore("mpiexec is gone");
        assertThat(announced.why(2)).isEqualTo("mpiexec is gone");
        assertThat(announced.settle(SlotSet.of(2), WORLD, new FailureSet())).isTrue();
    }
}
