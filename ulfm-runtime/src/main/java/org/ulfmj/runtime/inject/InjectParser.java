package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.NearestName;

/**
 * Reads one rule.
 *
 * <pre>
 * rule   := ACTION:TARGET[,ARGUMENT...]@WHEN[..UNTIL] | mock=RANK,V,S,I
 * TARGET := rank=RANKS | link=A&gt;B | link=A-B | *
 * RANKS  := R[,R...]       R := 3 | 1-4 | any(k) | root | last | succ(r)
 * </pre>
 *
 * <p>The actions and their arguments are those of {@link FaultAction}; {@link MomentParser} reads what stands behind
 * the {@code @}. {@code mock} is Rabit's own way to write {@code kill:rank=RANK,inc=I@v=V,seq=S}.
 */
public final class InjectParser {
    private static final String MOCK = "mock=";
    private static final String FORM = "a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@t=2s";
    /** What the grammar has, and one host cannot do, with the reason. */
    private static final Map<String, String> FOR_MANY_HOSTS = Map.of(
            "partition", "partitions divide hosts, and a job has one host; between ranks write blackhole:link=A-B",
            "agent-kill", "agents run on other hosts, and a job has one host; launcher-kill ends mpiexec",
            "store-kill", "the store of a job on one host is a thread of mpiexec; write store-pause, or launcher-kill");

    private final RulePart all;
    private final int size;

    /**
     * @param origin where the rule was written, for messages
     * @param size processes in the job
     */
    public InjectParser(String origin, String text, int size) {
        this.all = RulePart.all(origin, text);
        this.size = size;
    }

    /**
     * Reads the text and returns the rule.
     *
     * @throws InjectSyntaxException saying where and why it cannot be understood
     */
    public InjectRule rule() {
        if (all.text().startsWith(MOCK)) {
            return mock(all.after(MOCK.length()).split(','));
        }
        int colon = all.indexOf(":");
        int at = all.indexOf("@");
        if (colon < 0 || at < colon) {
            throw all.refused(FORM);
        }
        FaultAction action = action(all.before(colon));
        TargetParser target = new TargetParser(action, size);
        target.read(all.before(at).after(colon + 1));
        MomentParser when = new MomentParser(action, size);
        when.read(all.after(at + 1));
        return target.rule(when.moment(), when.durationNs());
    }

    private static FaultAction action(RulePart word) {
        FaultAction action = FaultAction.of(word.text());
        if (action == null && FOR_MANY_HOSTS.containsKey(word.text())) {
            throw word.refused(FOR_MANY_HOSTS.get(word.text()));
        }
        if (action == null) {
            throw word.refused("unknown action '" + word.text() + "'; the nearest known one is "
                    + NearestName.to(word.text(), FaultAction.words()) + "; known: "
                    + String.join(" ", FaultAction.words()));
        }
        return action;
    }

    private InjectRule mock(List<RulePart> parts) {
        if (parts.size() != 4) {
            throw all.refused("it is written mock=rank,version,seqno,ndeath, four numbers");
        }
        TargetParser target = new TargetParser(FaultAction.KILL, size);
        target.takeRanks(parts.get(0));
        long version = parts.get(1).number("version", 0, Integer.MAX_VALUE);
        Moment at = new Moment.AtPosition(version, parts.get(2).number("seqno", 0, Integer.MAX_VALUE));
        target.takeIncarnation((int) parts.get(3).number("ndeath", 0, Integer.MAX_VALUE));
        return target.rule(at, 0);
    }
}
