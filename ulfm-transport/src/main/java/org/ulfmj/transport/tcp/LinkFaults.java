package org.ulfmj.transport.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.tcp.LinkFault.Kind;

/**
 * The faults of the links of one rank, for tests. Each happens where bytes arrive, below the session, so that the
 * session meets it as it would meet a faulty network; a reset is made by the lower slot of a pair, and destroys the
 * bytes that are unread or unsent at its end. Under the engine lock.
 */
public final class LinkFaults {
    private final int ownSlot;
    private final List<State> all = new ArrayList<>();
    /** The keys of the hosts of the members, by slot. */
    private final Map<Integer, Long> hosts = new TreeMap<>();
    /** Connections whose bytes are held back. */
    private final List<TcpConnection> delayed = new ArrayList<>();

    private IntConsumer listener = rule -> {};

    private static final class State {
        private final LinkFault fault;
        private final SplittableRandom random;
        private long beginNs = Long.MAX_VALUE;
        private long endNs = Long.MAX_VALUE;
        private boolean isOn;
        private boolean isTold;
        private long happened;

        State(LinkFault fault, int ownSlot) {
            this.fault = fault;
            this.random = new SplittableRandom(31L * fault.rule() + ownSlot);
        }

        /**
         * Whether the fault begins, or happens again, now. It does so late, and for an instant, if this rank has slept
         * until after its end: what would have arrived in that time lies in the connection.
         */
        boolean mustBegin(long nowNs) {
            return beginNs != Long.MAX_VALUE
                    && nowNs - beginNs >= 0
                    && (endNs == Long.MAX_VALUE || beginNs - endNs < 0);
        }

        /** Whether it happens this time. */
        boolean strikes() {
            double probability = fault.terms().probability();
            return isLeft() && (probability >= 1 || random.nextDouble() < probability);
        }

        boolean isLeft() {
            return fault.terms().allowAfter(happened);
        }
    }

    /** @param ownSlot of the rank whose links these are */
    public LinkFaults(int ownSlot, List<LinkFault> faults) {
        this.ownSlot = ownSlot;
        for (LinkFault fault : faults) {
            all.add(new State(fault, ownSlot));
        }
    }

    /** Sets what is told the number of each rule once, when it happens first. */
    public void tell(IntConsumer newListener) {
        listener = newListener;
    }

    /** A process has a slot now. */
    void know(MemberRecord member) {
        hosts.put(member.id().slot(), member.hostKey());
    }

    void begin(long nowNs) {
        for (State state : all) {
            state.beginNs = nowNs + state.fault.beginNs();
            state.endNs = state.fault.endNs() == Long.MAX_VALUE ? Long.MAX_VALUE : nowNs + state.fault.endNs();
        }
    }

    /** Does what is due to the links. */
    void onTick(LinkTable links, long nowNs) {
        for (State state : all) {
            if (state.mustBegin(nowNs)) {
                begin(state, links, nowNs);
            }
            if (state.endNs != Long.MAX_VALUE && nowNs - state.endNs >= 0) {
                state.isOn = false;
                state.beginNs = Long.MAX_VALUE;
                state.endNs = Long.MAX_VALUE;
            }
        }
        for (TcpConnection connection : delayed.toArray(new TcpConnection[0])) {
            if (nowNs - connection.heldUntilNs() >= 0) {
                connection.onReady(nowNs);
            }
        }
    }

    private void begin(State state, LinkTable links, long nowNs) {
        LinkFault fault = state.fault;
        state.isOn = true;
        state.beginNs = Long.MAX_VALUE;
        if (fault.kind() == Kind.BLACKHOLE) {
            if (links.severConnections(this)) {
                happens(state);
            }
        } else if (fault.kind() == Kind.RESET) {
            if (links.resetConnections(nowNs, ownSlot, fault)) {
                happens(state);
            }
            long periodNs = fault.terms().lengthNs();
            if (periodNs > 0 && state.isLeft()) {
                state.beginNs = nowNs + periodNs;
            }
        }
    }

    private void happens(State state) {
        state.happened++;
        if (!state.isTold && state.fault.rule() > 0) {
            state.isTold = true;
            listener.accept(state.fault.rule());
        }
    }

    /** Whether a fault that is on now happens to what goes from one slot to the other, one of which is this rank's. */
    private boolean isOf(State state, Kind kind, int sender, int receiver) {
        LinkFault fault = state.fault;
        if (!state.isOn || fault.kind() != kind) {
            return false;
        }
        return fault.ends() instanceof HostCut cut ? isCut(cut, sender, receiver) : fault.hits(sender, receiver);
    }

    private boolean isCut(HostCut cut, int sender, int receiver) {
        boolean isOwn = sender == ownSlot;
        Long host = hosts.get(isOwn ? receiver : sender);
        return host != null && (isOwn ? cut.unreached() : cut.unheard()).contains(host);
    }

    private State striking(Kind kind, int sender, int receiver) {
        for (State state : all) {
            if (isOf(state, kind, sender, receiver) && state.strikes()) {
                happens(state);
                return state;
            }
        }
        return null;
    }

    private boolean isOn(Kind kind, int sender, int receiver) {
        for (State state : all) {
            if (isOf(state, kind, sender, receiver)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing of the peer arrives at present. */
    boolean isDeafTo(int peer) {
        return isOn(Kind.BLACKHOLE, peer, ownSlot);
    }

    /** Whether nothing of this rank reaches the peer at present. */
    boolean isUnheardBy(int peer) {
        return isOn(Kind.BLACKHOLE, ownSlot, peer);
    }

    /** Whether a call that the peer makes is not answered at present. */
    boolean swallowsCall(int caller) {
        return isDeafTo(caller) || isUnheardBy(caller) || striking(Kind.REFUSE, caller, ownSlot) != null;
    }

    /** Whether a dial to the peer fails at once at present. */
    boolean refusesDialTo(int peer) {
        return striking(Kind.REFUSE, ownSlot, peer) != null;
    }

    /** Whether a dial to the peer gets no answer at present. */
    boolean swallowsDialTo(int peer) {
        return isDeafTo(peer) || isUnheardBy(peer);
    }

    boolean drops(int sender) {
        return striking(Kind.DROP, sender, ownSlot) != null;
    }

    boolean repeats(int sender) {
        return striking(Kind.DUP, sender, ownSlot) != null;
    }

    boolean swaps(int sender) {
        return striking(Kind.REORDER, sender, ownSlot) != null;
    }

    /** The bit of an envelope's checked part that arrives wrong; −1 if none does. */
    int spoiltBit(int sender) {
        State state = striking(Kind.CORRUPT, sender, ownSlot);
        return state == null ? -1 : state.random.nextInt(8 * (LinkEnvelope.BYTES - LinkEnvelope.TYPE_OFFSET));
    }

    /** Whether bytes of the sender are ever to be held back, so that its connections need a line for them. */
    boolean everDelays(int sender) {
        for (State state : all) {
            Kind kind = state.fault.kind();
            if ((kind == Kind.DELAY || kind == Kind.THROTTLE) && state.fault.hits(sender, ownSlot)) {
                return true;
            }
        }
        return false;
    }

    /** How long bytes that arrive now are held back. */
    long delayNs(int sender) {
        State state = striking(Kind.DELAY, sender, ownSlot);
        if (state == null) {
            return 0;
        }
        LinkTerms terms = state.fault.terms();
        long spreadNs = terms.spreadNs();
        return terms.lengthNs() + (spreadNs == 0 ? 0 : state.random.nextLong(-spreadNs, spreadNs + 1));
    }

    /** The bytes that may arrive in a second; 0 for as many as there are. */
    long bytesPerSecond(int sender) {
        State state = striking(Kind.THROTTLE, sender, ownSlot);
        return state == null ? 0 : state.fault.terms().bytesPerSecond();
    }

    void isDelayed(TcpConnection connection) {
        delayed.add(connection);
    }

    void hasEnded(TcpConnection connection) {
        delayed.remove(connection);
    }

    long nextDeadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (State state : all) {
            nextNs = Math.min(nextNs, Math.min(state.beginNs, state.endNs));
        }
        for (TcpConnection connection : delayed) {
            nextNs = Math.min(nextNs, connection.heldUntilNs());
        }
        return nextNs;
    }
}
