package org.ulfmj.runtime.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EagerCreditTest {
    @Test
    void shouldAllowTheWindowAndNothingMoreUntilItIsTaken() {
        EagerCredit sender = new EagerCredit(1000);
        assertThat(sender.allows(1000)).isTrue();
        sender.onSent(600);
        assertThat(sender.allows(400)).isTrue();
        assertThat(sender.allows(401)).isFalse();
        assertThat(sender.allows(0)).isTrue();
        sender.onGrant(1600);
        assertThat(sender.allows(1000)).isTrue();
        assertThat(sender.allows(1001)).isFalse();
        sender.onGrant(1200);
        assertThat(sender.allows(1000)).as("an older grant takes nothing back").isTrue();
    }

    @Test
    void shouldGrantOnceHalfOfTheWindowIsTaken() {
        EagerCredit receiver = new EagerCredit(1000);
        assertThat(receiver.onTaken(499)).isFalse();
        assertThat(receiver.onTaken(0)).isFalse();
        assertThat(receiver.onTaken(1)).isTrue();
        assertThat(receiver.grant()).isEqualTo(1500);
        assertThat(receiver.onTaken(499)).isFalse();
        assertThat(receiver.onTaken(501)).isTrue();
        assertThat(receiver.grant()).isEqualTo(2500);
    }

    @Test
    void shouldNeverStopForGoodWhenBothSidesKeepTheRules() {
        EagerCredit sender = new EagerCredit(1000);
        EagerCredit receiver = new EagerCredit(1000);
        for (int i = 0; i < 10_000; i++) {
            int bytes = 1 + i * 37 % 1000;
            if (sender.allows(bytes)) {
                sender.onSent(bytes);
                if (receiver.onTaken(bytes)) {
                    sender.onGrant(receiver.grant());
                }
            }
            assertThat(sender.allows(500)).isTrue();
        }
    }

    @Test
    void shouldKnowOfAReceiverThatDoesNotKeepUp() {
        EagerCredit sender = new EagerCredit(1600);
        EagerCredit receiver = new EagerCredit(1600);
        for (int i = 0; i < 100; i++) {
            sender.onSent(99);
            assertThat(sender.isFarAhead()).as("each is taken at once").isFalse();
            if (receiver.onTaken(99)) {
                sender.onGrant(receiver.grant());
            }
        }
        sender.onGrant(receiver.grant());
        sender.onSent(899);
        assertThat(sender.isFarAhead()).isFalse();
        sender.onSent(1);
        assertThat(sender.isFarAhead()).isTrue();
    }

    @Test
    void shouldCountWhatAMessageCostsItsReceiver() {
        assertThat(EagerCredit.costBytes(MessageKey.POINT_TO_POINT, 0)).isEqualTo(512);
        assertThat(EagerCredit.costBytes(MessageKey.POINT_TO_POINT, 1)).isEqualTo(512);
        assertThat(EagerCredit.costBytes(MessageKey.POINT_TO_POINT, 64)).isEqualTo(512);
        assertThat(EagerCredit.costBytes(MessageKey.POINT_TO_POINT, 33_000))
                .as("memory for payload comes in powers of two")
                .isEqualTo(65_536 + 448);
        assertThat(EagerCredit.costBytes(MessageKey.COLLECTIVE, 0)).isZero();
        assertThat(EagerCredit.costBytes(MessageKey.DESCRIPTION, 0)).isZero();
    }
}
