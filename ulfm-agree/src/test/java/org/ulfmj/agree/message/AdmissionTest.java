package org.ulfmj.agree.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

class AdmissionTest {
    private static final SlotRuns SLOTS = SlotRuns.range(3);

    private static Admission world(long epoch, int incarnation, long nonce) {
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (int slot = 0; slot < 3; slot++) {
            members.put(slot, new Contact(new ProcessId(slot, slot == 1 ? incarnation : 0), nonce, new byte[0]));
        }
        return new Admission(epoch, 7, members);
    }

    @Test
    void shouldHaveAnotherDigestWithOtherMembersOrAnotherPlacement() {
        Placement dealt = Placement.of(SLOTS, new long[] {5, 6, 5});
        Admission world = world(2, 1, 9);

        assertThat(world.digest(dealt)).isEqualTo(world(2, 1, 9).digest(Placement.of(SLOTS, new long[] {8, 3, 8})));
        assertThat(world.digest(dealt)).isEqualTo(world.named(8).digest(dealt));
        assertThat(new long[] {
                    world.digest(dealt),
                    world.digest(Placement.ONE_HOST),
                    world.digest(Placement.of(SLOTS, new long[] {5, 5, 6})),
                    world.digest(Placement.of(SLOTS, new long[] {4, 5, 6})),
                    world(3, 1, 9).digest(dealt),
                    world(2, 2, 9).digest(dealt),
                    world(2, 1, 8).digest(dealt)
                })
                .doesNotHaveDuplicates();
    }
}
