package org.ulfmj.runtime.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests rules that name hosts. Host 0 has the launcher and ranks 0 and 1, host {@code b} has ranks 2 and 3, and host 2
 * has no ranks.
 */
class InjectHostsTest {
    private static final int SIZE = 4;

    private static final HostNames HOSTS = new HostNames() {
        @Override
        public String wordOf(String name) {
            return switch (name) {
                case "0", "a", "mpiexec" -> "0";
                case "1", "b" -> "1";
                case "2" -> "2";
                default -> null;
            };
        }

        @Override
        public List<String> all() {
            return List.of("0", "1", "2");
        }

        @Override
        public SortedSet<Integer> ranksOn(String word) {
            return new TreeSet<>(
                    switch (word) {
                        case "0" -> Set.of(0, 1);
                        case "1" -> Set.of(2, 3);
                        default -> Set.<Integer>of();
                    });
        }

        @Override
        public boolean hasAgent(String word) {
            return !word.equals("0");
        }
    };

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partition:node=a/b@t=1s..3s|partition:node=0/1@t=1s..3s",
                "partition:node=b@t=1s|partition:node=1/0+2@t=1s",
                "partition:node=2+b>mpiexec@now|partition:node=1+2>0@t=0s",
                "partition:node=0/1/2@t=1s|partition:node=0/1/2@t=1s",
                "agent-kill:node=b@ev=dead(0)|agent-kill:node=1@ev=dead(0)",
                "agent-kill:node=1+2@t=1s|agent-kill:node=1+2@t=1s",
                "kill:node=b@t=1s|kill:rank=2@t=1s kill:rank=3@t=1s",
                "stop:node=1,a,inc=*@op=send#2..1s|stop:rank=0,inc=*@op=send#2..1s stop:rank=1,inc=*@op=send#2..1s"
                        + " stop:rank=2,inc=*@op=send#2..1s stop:rank=3,inc=*@op=send#2..1s"
            })
    void shouldReadHosts(String text, String drawn) {
        StringBuilder rules = new StringBuilder();
        for (PlannedFault fault : InjectPlan.parse(List.of(text), SIZE, HOSTS).draw(1)) {
            rules.append(rules.length() == 0 ? "" : " ").append(fault);
        }
        assertThat(rules).hasToString(drawn);
        assertThat(InjectPlan.parse(List.of(), SIZE, HOSTS)
                        .with("f", List.of(drawn.split(" ")))
                        .draw(1))
                .extracting(PlannedFault::toString)
                .as("what a file of the plan gives")
                .containsExactly(drawn.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill:node=c@t=1s|11|'c' is no host of this job; write the name or the index of one of its hosts, or"
                        + " mpiexec",
                "kill:node=2@t=1s|11|no rank is started on host '2'",
                "kill:node=b,c@t=1s|13|'c' is no host of this job; write the name or the index of one of its hosts, or"
                        + " mpiexec",
                "partition:node=0/b>2@t=1s|16|'0/b>2' has both / and >; write node=A/B for both ways, node=A>B for what A"
                        + " sends to B",
                "partition:node=0/a@t=1s|18|host 'a' is named twice",
                "partition:node=0+1+2@t=1s|16|no host is left on the other side; write node=A/B",
                "partition:node=0/@t=1s|18|'' is no host of this job; write the name or the index of one of its hosts, or"
                        + " mpiexec",
                "partition:node=0/b,2@t=1s|20|'2' is no argument; it has none",
                "partition:node=0/b@op=send#1|20|faults of links and hosts begin at a time: write t=2s or now",
                "agent-kill:node=0@t=1s|17|mpiexec itself does the work of an agent on its own host; launcher-kill ends it",
                "agent-kill:node=1@t=1s..2s|25|agent-kill has no end; leave out ..2s"
            })
    void shouldSayWhereAndWhyARuleIsRefused(String text, int at, String why) {
        assertThatThrownBy(() -> InjectPlan.parse(List.of(text), SIZE, HOSTS))
                .hasMessage("--inject '" + text + "', character " + at + ": " + why);
    }

    @Test
    void shouldCutEachDirectionThatTheRuleSays() {
        HostChoice both = hosts("partition:node=0+1/2@now");
        assertThat(both.cuts("0", "2")).isTrue();
        assertThat(both.cuts("2", "1")).isTrue();
        assertThat(both.cuts("0", "1")).isFalse();
        assertThat(both.cuts("0", "another")).isFalse();
        HostChoice oneWay = hosts("partition:node=0>1>2@now");
        assertThat(oneWay.cuts("0", "1")).isTrue();
        assertThat(oneWay.cuts("0", "2")).isTrue();
        assertThat(oneWay.cuts("1", "0")).isFalse();
    }

    @Test
    void shouldNameTheRanksThatMayFailForIt() {
        HostChoice hosts = hosts("partition:node=b/2@now");
        assertThat(hosts.names(2)).isTrue();
        assertThat(hosts.names(0)).isFalse();
    }

    private static HostChoice hosts(String rule) {
        return InjectPlan.parse(List.of(rule), SIZE, HOSTS).draw(1).get(0).hosts();
    }
}
