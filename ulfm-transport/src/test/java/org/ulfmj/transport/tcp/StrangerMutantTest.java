package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/** Rule L1: a caller changes no link before it has proved that it belongs to the job. */
@Timeout(120)
class StrangerMutantTest {
    @Test
    void shouldKeepTheConnectionOfTwoRanksWhenAStrangerCalls() throws IOException {
        assertThat(StrangerStory.run()).isEmpty();
    }

    @Test
    @Tag("long")
    void shouldDisplaceAGoodConnectionWhenCallersCountBeforeTheirProof() {
        Mutant mutant = Mutant.of(
                "a caller touches no link before its proof",
                "org.ulfmj.transport.tcp.TcpListener",
                "                strangers.add(TcpConnection.accept(fabric, caller, handshake), nowNs);",
                "                strangers.add(TcpConnection.accept(fabric, caller, handshake), nowNs);\n"
                        + "                var link = fabric.linkTo(org.ulfmj.protocol.ProcessId.of(1));\n"
                        + "                if (link != null && link.session().adopted() != null) {\n"
                        + "                    link.session().onEnd(link.session().adopted(), nowNs);\n"
                        + "                }");

        String wrong = (String) new MutantLoader(mutant).call(StrangerStory.class.getName(), "run");

        assertThat(wrong).isEqualTo("a good connection is displaced");
    }
}
