package org.ulfmj.runtime.inject;

import java.util.List;
import org.ulfmj.protocol.NearestName;

/**
 * Reads one rule.
 *
 * <pre>
 * rule   := ACTION:TARGET[,ARGUMENT...]@WHEN[..UNTIL] | mock=RANK,V,S,I
 * TARGET := rank=RANKS | node=HOST[,HOST...] | link=A&gt;B | link=A-B | node=HOSTS/HOSTS | node=HOSTS&gt;HOSTS | *
 * HOSTS  := HOST[+HOST...]      HOST := its name | its index | mpiexec
 * RANKS  := R[,R...]       R := 3 | 1-4 | any(k) | root | last | succ(r)
 * </pre>
 *
 * <p>The actions and their arguments are those of {@link FaultAction}; {@link MomentParser} reads what stands behind
 * the {@code @}. {@code mock} is Rabit's own way to write {@code kill:rank=RANK,inc=I@v=V,seq=S}.
 */
public final class InjectParser {
    private static final String MOCK = "mock=";
    private static final String FORM = "a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@t=2s";
    private static final String STORE_KILL = "store-kill";

    private final RulePart all;
    private final int size;
    /** Null in a job on one host. */
    private final HostNames hosts;

    /**
     * @param origin where the rule was written, for messages
     * @param size how many processes the job has
     */
    public InjectParser(String origin, String text, int size) {
        this(origin, text, size, null);
    }

    /**
     * @param origin where the rule was written, for messages
     * @param size how many processes the job has
     * @param hosts the hosts of the job; null if it runs on one host
     */
    public InjectParser(String origin, String text, int size, HostNames hosts) {
        this.hosts = hosts;
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
        TargetParser target = new TargetParser(action, size, hosts);
        target.read(all.before(at).after(colon + 1));
        MomentParser when = new MomentParser(action, size);
        when.read(all.after(at + 1));
        return target.rule(when.moment(), when.durationNs());
    }

    private static FaultAction action(RulePart word) {
        FaultAction action = FaultAction.of(word.text());
        if (word.text().equals(STORE_KILL)) {
            throw word.refused("the store is a thread of mpiexec; write store-pause, or launcher-kill");
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
        TargetParser target = new TargetParser(FaultAction.KILL, size, hosts);
        target.takeRanks(parts.get(0));
        long version = parts.get(1).number("version", 0, Integer.MAX_VALUE);
        Moment at = new Moment.AtPosition(version, parts.get(2).number("seqno", 0, Integer.MAX_VALUE));
        target.takeIncarnation((int) parts.get(3).number("ndeath", 0, Integer.MAX_VALUE));
        return target.rule(at, 0);
    }
}
