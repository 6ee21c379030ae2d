package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Rule L17: a rank that leaves opens no link to a newcomer. */
@Timeout(120)
class LeaverMutantTest {
    @Test
    void shouldLeaveWhileANewcomerCalls() {
        assertThat(LeaverStory.run()).isEmpty();
    }

    @Test
    @Tag("long")
    void shouldNotLeaveIfItOpenedALinkToANewcomer() {
        Mutant mutant = Mutant.of(
                "a rank that leaves opens no link to a newcomer",
                "org.ulfmj.transport.tcp.LinkTable",
                "tombstones.cover(id) || isLeaving) {",
                "tombstones.cover(id)) {");

        String wrong = (String) new MutantLoader(mutant).call(LeaverStory.class.getName(), "run");

        assertThat(wrong).isEqualTo("a leaver opens a link to a newcomer, and does not leave");
    }
}
