package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/**
 * Two processes know each other on a link by slot, incarnation and nonce, and not by the membership epoch. If the epoch
 * were part of that, a survivor that enters an epoch late would be refused by members that are in it.
 */
class LinkIdentityTest {
    @Test
    void shouldNameAProcessBySlotIncarnationAndNonceAlone() {
        assertThat(parts(LinkIdentity.class)).containsExactly("id", "nonce");
        assertThat(parts(ProcessId.class)).containsExactly("slot", "incarnation");
    }

    @Test
    void shouldAskForALinkWithNothingBesideTheTwoNamesAndTheNumbersOfTheirSession() {
        assertThat(parts(LinkHello.class)).containsExactly("from", "to", "generation", "lastDelivered");
        assertThat(parts(LinkOk.class)).containsExactly("generation", "lastDelivered");
    }

    private static List<String> parts(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }
}
