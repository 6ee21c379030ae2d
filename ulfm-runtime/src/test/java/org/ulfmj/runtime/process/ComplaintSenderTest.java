package org.ulfmj.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class ComplaintSenderTest {
    private static final ProcessId OTHER = ProcessId.of(1);

    private final List<String> told = new ArrayList<>();
    private final ComplaintSender complaints = new ComplaintSender(new ComplaintSender.Listener() {
        @Override
        public void onComplaint(ProcessId process) {
            told.add("suspect " + process);
        }

        @Override
        public void onWithdrawn(ProcessId process) {
            told.add("heard " + process);
        }
    });

    @Test
    void shouldComplainOnceAndWithdrawWithTheLastReason() {
        complaints.silent(OTHER);
        complaints.linkLost(OTHER);
        complaints.heard(OTHER);
        assertThat(told).containsExactly("suspect 1");
        assertThat(complaints.holds(OTHER)).isTrue();

        complaints.linkRestored(OTHER);
        assertThat(told).containsExactly("suspect 1", "heard 1");
        assertThat(complaints.holds(OTHER)).isFalse();
    }

    @Test
    void shouldWithdrawNothingThatWasNotSaid() {
        complaints.linkRestored(OTHER);
        complaints.heard(OTHER);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldForgetTheGone() {
        complaints.silent(OTHER);
        complaints.gone(OTHER);
        complaints.heard(OTHER);
        assertThat(told).containsExactly("suspect 1");
        assertThat(complaints.holds(OTHER)).isFalse();
    }
}
