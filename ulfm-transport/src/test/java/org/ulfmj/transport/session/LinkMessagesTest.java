package org.ulfmj.transport.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.transport.session.LinkEnds.HIGH;
import static org.ulfmj.transport.session.LinkEnds.LOW;

import org.junit.jupiter.api.Test;

class LinkMessagesTest {
    @Test
    void shouldSurviveTheTripOfItsMessages() {
        LinkHello hello = new LinkHello(LOW, HIGH, 3, 4);
        assertThat(LinkHello.of(hello.toBytes())).isEqualTo(hello);
        LinkOk ok = new LinkOk(5, 6);
        assertThat(LinkOk.of(ok.toBytes())).isEqualTo(ok);
        for (LinkRefusal refusal :
                new LinkRefusal[] {new LinkRefusal.Stale(9), new LinkRefusal.YouFailed(), new LinkRefusal.NotMe(HIGH)
                }) {
            assertThat(LinkRefusal.of(refusal.toBytes())).isEqualTo(refusal);
        }
    }
}
