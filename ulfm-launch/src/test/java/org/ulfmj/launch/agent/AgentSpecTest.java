package org.ulfmj.launch.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireWriter;

class AgentSpecTest {
    @Test
    void shouldReadBackTheLineThatItWrote() {
        AgentSpec spec = Specs.one();
        String line = spec.toLine();
        assertThat(line).matches("[A-Za-z0-9+/=]+");
        AgentSpec read = AgentSpec.of(line + "\n");
        assertThat(read.secret().bytes()).isEqualTo(spec.secret().bytes());
        assertThat(read).usingRecursiveComparison().ignoringFields("secret").isEqualTo(spec);
    }

    @Test
    void shouldRefuseALineThatIsCutOff() {
        byte[] bytes = Base64.getDecoder().decode(Specs.one().toLine());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> AgentSpec.of(Base64.getEncoder().encodeToString(cut)))
                    .isInstanceOf(WireFormatException.class);
        }
    }

    @Test
    void shouldNameTheVersionsWhereTheyDiffer() {
        String other = Base64.getEncoder()
                .encodeToString(new WireWriter(100).putText("ulfm-agent 9").toByteArray());
        assertThatThrownBy(() -> AgentSpec.of(other))
                .hasMessage(
                        "a specification for 'ulfm-agent 9', and this is 'ulfm-agent 2': all hosts of a job need the"
                                + " same version");
        assertThatThrownBy(() -> AgentSpec.of("no base 64!")).hasMessageStartingWith("no specification of an agent: ");
    }

    @Test
    void shouldRefuseAWorldThatCannotBegin() {
        WireWriter sizes = new WireWriter(100)
                .putText("ulfm-agent 2")
                .putText("run")
                .putInt(2)
                .putInt(3);
        String line = Base64.getEncoder().encodeToString(sizes.toByteArray());
        assertThatThrownBy(() -> AgentSpec.of(line)).hasMessage("a world of 3 to 2 ranks");
    }

    @Test
    void shouldEndWithACodeWhereStdinHoldsNoSpecification() {
        assertThat(HostAgent.run("1", stdin("hello\n"), Map.of())).isEqualTo(125);
        assertThat(HostAgent.run("1", stdin(""), Map.of())).isEqualTo(125);
        assertThat(HostAgent.run("2", stdin(Specs.one().toLine() + "\n"), Map.of()))
                .as("a host that the job has not")
                .isEqualTo(125);
        assertThat(HostAgent.run("NODE", stdin(Specs.one().toLine() + "\n"), Map.of("NODE", "node2")))
                .as("the same, by its name")
                .isEqualTo(125);
    }

    private static ByteArrayInputStream stdin(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }
}
