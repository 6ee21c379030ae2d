package org.ulfmj.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parsing of hosts in a word, in a file, and in the variables of Slurm. */
class HostTextsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a~a*1",
                "a:2,b~a:2 b*1",
                " a:2 , b:1,,a~a:2 b:1 a*1",
                "user@node-1.example_x:16~user@node-1.example_x:16",
                "10.0.0.1:4~10.0.0.1:4",
                "fd00::1,[fd00::2],[fe80::1%eth0]:3~fd00::1*1 fd00::2*1 fe80::1%eth0:3",
                "a:999999999999~a:100000"
            })
    void shouldReadHostsInAWord(String text, String hosts) {
        assertThat(described(HostList.parse("--host", text))).isEqualTo(hosts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "','~--host ',': there is no host in it",
                "a:0~--host a:0: '0' is no number of slots; allowed: 1 or more, and nothing for 1",
                "a,b:x~--host a,b:x: 'x' is no number of slots; allowed: 1 or more, and nothing for 1",
                "a:~--host a:: '' is no number of slots; allowed: 1 or more, and nothing for 1",
                "a:-1~--host a:-1: '-1' is no number of slots; allowed: 1 or more, and nothing for 1",
                "[::1]x~--host [::1]x: 'x' behind the bracket is not allowed; allowed: :SLOTS, and nothing for 1",
                "[fd00::1]4~--host [fd00::1]4: '4' behind the bracket is not allowed; allowed: :SLOTS, and nothing for 1",
                "[fd00::1]:~--host [fd00::1]:: '' is no number of slots; allowed: 1 or more, and nothing for 1",
                ":3~--host :3: '' is no name of a host",
                "-oProxyCommand=x~--host -oProxyCommand=x: '-oProxyCommand=x' is no name of a host",
                "a b~--host a b: 'a b' is no name of a host",
                "$(x)~--host $(x): '$(x)' is no name of a host"
            })
    void shouldSayWhatIsWrongInAWord(String text, String message) {
        assertThatThrownBy(() -> HostList.parse("--host", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseALongName() {
        assertThatThrownBy(() -> HostList.parse("--host", "a".repeat(256)))
                .hasMessageEndingWith(": a name of a host is longer than 255");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "node1 slots=4~node1:4",
                "node1 slots=4 max_slots=8~node1:4<8",
                "node1 max-slots=8~node1*1<8",
                "node1:4~node1:4",
                "node1:4 slots=2~node1:2",
                "# mine||  a   SLOTS=3 # and so on|b|a:1~a:3 b*1 a:1"
            })
    void shouldReadHostsInAFile(String text, String hosts) {
        assertThat(described(HostFile.parse("--hostfile f", List.of(text.split("\\|")))))
                .isEqualTo(hosts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "# none~--hostfile f: there is no host in it",
                "a|b slots=0~--hostfile f, line 2: '0' is no number of slots; allowed: 1 or more, and nothing for 1",
                "a slot=4~--hostfile f, line 1: 'slot=4' is not known; allowed: NAME, NAME:SLOTS, NAME slots=N max_slots=N",
                "a 4~--hostfile f, line 1: '4' is not known; allowed: NAME, NAME:SLOTS, NAME slots=N max_slots=N",
                "a slots=4 max_slots=2~--hostfile f, line 1: slots=4 is above max_slots=2"
            })
    void shouldSayWhatIsWrongInAFile(String text, String message) {
        assertThatThrownBy(() -> HostFile.parse("--hostfile f", List.of(text.split("\\|"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static String described(List<HostSlots> hosts) {
        return hosts.stream()
                .map(host -> host.name()
                        + (host.isNumbered() ? ":" : "*")
                        + host.slots()
                        + (host.most() == HostSlots.MOST_SLOTS ? "" : "<" + host.most()))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "n1~n1",
                "n[1-3,7],m01~n1 n2 n3 n7 m01",
                "n[08-11]~n08 n09 n10 n11",
                "n[9-11]~n9 n10 n11",
                "n[001,3]~n001 n3",
                "r[1-2]c[0,3]x~r1c0x r1c3x r2c0x r2c3x",
                "[1-2]~1 2",
                "a,b-c,d.e[5]~a b-c d.e5"
            })
    void shouldReadNodesOfSlurm(String text, String names) {
        assertThat(String.join(" ", NodeList.parse("SLURM_JOB_NODELIST", text))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "n[1",
                "n1]",
                "n[[1]]",
                "n[1]]",
                "n[]",
                "n[1-]",
                "n[-1]",
                "n[2-1]",
                "n[a]",
                "n[1,,2]",
                "n[9999999999]"
            })
    void shouldRefuseWhatIsNoListOfNodes(String text) {
        assertThatThrownBy(() -> NodeList.parse("SLURM_JOB_NODELIST", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SLURM_JOB_NODELIST '" + text
                        + "' is no list of nodes; allowed: names as n[1-3,07],m1, with commas");
    }

    @Test
    void shouldBoundTheNumberOfNodes() {
        assertThat(NodeList.parse("X", "n[1-4096]")).hasSize(4096);
        assertThatThrownBy(() -> NodeList.parse("X", "n[0-99999999]"))
                .hasMessage("X n[0-99999999]: more than 4096 hosts");
        assertThatThrownBy(() -> NodeList.parse("X", "[1]".repeat(100_000)))
                .hasMessageEndingWith(": a name of a host is longer than 255");
        for (String text : List.of("", "a,,b", "a,")) {
            assertThatThrownBy(() -> NodeList.parse("X", text)).hasMessageEndingWith("'' is no name of a host");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {"8~[8]", "8(x3),4~[8, 8, 8, 4]", "1,2(x1),3(x2)~[1, 2, 3, 3]"})
    void shouldReadNumbersOfTasks(String text, String counts) {
        assertThat(TaskCounts.parse("SLURM_TASKS_PER_NODE", text)).hasToString(counts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "8(x3~X '8(x3' is no list of numbers; allowed: numbers as 8(x3),4, with commas",
                "8(x)~X 8(x): '' is no number of slots; allowed: 1 or more, and nothing for 1",
                "0~X 0: '0' is no number of slots; allowed: 1 or more, and nothing for 1",
                "8,~X 8,: '' is no number of slots; allowed: 1 or more, and nothing for 1",
                "8(x4096),1~X 8(x4096),1: more than 4096 hosts"
            })
    void shouldSayWhatIsWrongInNumbersOfTasks(String text, String message) {
        assertThatThrownBy(() -> TaskCounts.parse("X", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
