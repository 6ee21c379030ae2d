package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

class InboundTest {
    private static Inbound inbound(RankEngine engine) {
        return new Inbound(engine, engine.peers(), engine.communicators(), engine.matching(), engine.outbound());
    }

    @Test
    void shouldPassOnThatALinkBrokeAndThatItIsMended() {
        try (LocalRanks ranks = new LocalRanks(2)) {
            RankEngine engine = ranks.rank(0).engine();
            engine.enter();
            try {
                Inbound inbound = inbound(engine);
                inbound.onLinkBroken(ProcessId.of(1));
                inbound.onLinkRestored(ProcessId.of(1));
            } finally {
                engine.leave();
            }
            assertThat(ranks.links).containsExactly("0: broken 1", "0: restored 1");
        }
    }
}
