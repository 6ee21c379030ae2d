package org.ulfmj.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfferWindowTest {
    private static final int MOST = OfferWindows.Window.MESSAGES;

    @Test
    void shouldOpenOnlyForWhatWasTakenOrForAReceiveThatFindsNothing() {
        HeldSends sender = new HeldSends(null);
        OfferWindows.Window receiver = new OfferWindows.Window(null, 0);
        announce(sender, receiver, MOST);
        assertThat(sender.mayAnnounce()).isFalse();
        assertThat(receiver.isUsedUp()).isTrue();
        for (int i = 1; i < MOST / 2; i++) {
            assertThat(receiver.onTaken()).isFalse();
        }
        assertThat(receiver.onTaken()).isTrue();
        sender.allow(receiver.grantTaken());
        announce(sender, receiver, MOST / 2);
        assertThat(sender.mayAnnounce()).isFalse();
        sender.allow(receiver.grantMore());
        announce(sender, receiver, MOST);
        assertThat(sender.mayAnnounce()).isFalse();
        assertThat(receiver.isUsedUp()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldAgreeOnWhenItIsUsedUpWhateverTheOrderOfGrants(long seed) {
        Random random = new Random(seed);
        HeldSends sender = new HeldSends(null);
        OfferWindows.Window receiver = new OfferWindows.Window(null, 0);
        long granted = MOST;
        int waiting = 0;
        for (int step = 0; step < 200_000; step++) {
            boolean isTaken = random.nextInt(3) == 0 && waiting > 0;
            if (isTaken) {
                waiting--;
                if (receiver.onTaken()) {
                    granted = receiver.grantTaken();
                }
            } else if (sender.mayAnnounce()) {
                announce(sender, receiver, 1);
                waiting++;
            } else if (receiver.isUsedUp() && random.nextInt(1000) == 0) {
                granted = receiver.grantMore();
            }
            if (random.nextInt(100) == 0) {
                sender.allow(granted);
            }
            assertThat(sender.mayAnnounce() && receiver.isUsedUp()).isFalse();
        }
    }

    private static void announce(HeldSends sender, OfferWindows.Window receiver, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(sender.mayAnnounce()).isTrue();
            sender.onAnnounced();
            receiver.onHeard();
        }
    }
}
