package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;

class AgentMessageTest {
    /** One message of each type. */
    static List<AgentMessage> all() {
        Map<String, String> environment = new HashMap<>();
        environment.put("ULFM_FT", "ulfm");
        environment.put("DISPLAY", null);
        return List.of(
                new AgentOrder.Start(3, new ProcessId(2, 1), 0, 1, 0, environment, true, false),
                new AgentOrder.Start(4, null, 2, 0, 0, Map.of(), false, true),
                new AgentOrder.Signal(3, "TERM", true),
                new AgentOrder.Condemn(3),
                new AgentOrder.Assigned(4, new ProcessId(2, 2), 1),
                new AgentOrder.Input(3, new byte[] {1, 2}),
                new AgentOrder.OutputRead(3, true, 262_144),
                new AgentOrder.WatchCores(new ProcessId(2, 1), 4712, 9),
                new AgentOrder.Kill(),
                new AgentOrder.Deafen(3_000_000_000L),
                new AgentOrder.End(true),
                new AgentNews.Ready("10.0.0.1", 4711),
                new AgentNews.Unable("there is no /tmp"),
                new AgentNews.Alive(),
                new AgentNews.Terminating(),
                new AgentNews.Started(3, 4712),
                new AgentNews.NotStarted(3, "there is no file a.jar"),
                new AgentNews.Died(3, 137),
                new AgentNews.Ended(3, 137),
                new AgentNews.Unreaped(3),
                new AgentNews.Looked(3, 'T', true),
                new AgentNews.CoreWaited(new ProcessId(2, 1), 9, 300_000_000),
                new AgentNews.Output(3, false, new byte[0]),
                new AgentNews.InputRead(3, 2),
                new AgentNews.InputClosed(3),
                new AgentNews.Left());
    }

    @Test
    void shouldReadBackEachMessage() {
        Set<Integer> types = new HashSet<>();
        for (AgentMessage message : all()) {
            AgentMessage read = AgentMessage.decode(new WireReader(AgentMessage.encode(message)));
            assertThat(read).usingRecursiveComparison().isEqualTo(message);
            assertThat(read).isInstanceOf(message.getClass());
            types.add(message.type());
        }
        assertThat(types)
                .as("a message of each type")
                .hasSize(AgentOrder.class.getPermittedSubclasses().length
                        + AgentNews.class.getPermittedSubclasses().length);
    }

    @Test
    void shouldRefuseWhatIsNoMessage() {
        assertThatThrownBy(() -> AgentMessage.decode(new WireReader(new byte[] {99})))
                .isInstanceOf(WireFormatException.class)
                .hasMessage("message of unknown type 99 on an agent's line");
        assertThatThrownBy(() -> AgentMessage.decode(new WireReader(new byte[] {34, 0})))
                .hasMessage("1 bytes too many");
    }

    @Test
    void shouldLetOnlyTheBytesOfStreamsAndWhatFollowsThemWait() {
        for (AgentMessage message : all()) {
            assertThat(message.isData())
                    .as(message.toString())
                    .isEqualTo(message instanceof AgentNews.Output
                            || message instanceof AgentOrder.Input
                            || message instanceof AgentNews.Left);
        }
    }
}
