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
 * The faults of the links of one rank, for tests. A fault acts on connections, mostly where bytes arrive, below the
 * session, so that the session meets it as it would meet a faulty network. A reset is made by the rank with the lower
 * slot of a pair, and destroys the bytes that are unread or unsent at its end. Under the engine lock.
 */
public final class LinkFaults {
    private final int ownSlot;
    private final List<State> all = new ArrayList<>();
    /** The keys of the hosts of the members, by slot. */
    private final Map<Integer, Long> hosts = new TreeMap<>();
    /** The open connections that have a {@link DelayLine}, whether it holds bytes back now or not. */
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
         * Whether the fault has to begin, or to happen again, now. If this rank slept past the end of the fault, the
         * fault still begins, and ends in the same step: the bytes that would have arrived during the fault lie unread
         * in the connection, and have to be hit.
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

    /** @param ownSlot the slot of the rank whose links these are */
    public LinkFaults(int ownSlot, List<LinkFault> faults) {
        this.ownSlot = ownSlot;
        for (LinkFault fault : faults) {
            all.add(new State(fault, ownSlot));
        }
    }

    /** Sets the listener that is told the number of each rule once, when a fault of the rule first happens. */
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

    /**
     * Whether a fault is on now, is of this kind, and hits what {@code sender} sends to {@code receiver}, one of which
     * is this rank.
     */
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

    /** Whether a blackhole at present swallows all that the peer sends to this rank. */
    boolean isDeafTo(int peer) {
        return isOn(Kind.BLACKHOLE, peer, ownSlot);
    }

    /** Whether a blackhole at present swallows all that this rank sends to the peer. */
    boolean isUnheardBy(int peer) {
        return isOn(Kind.BLACKHOLE, ownSlot, peer);
    }

    /** Whether a fault at present lets a connection that {@code caller} opens to this rank go without an answer. */
    boolean swallowsCall(int caller) {
        return isDeafTo(caller) || isUnheardBy(caller) || striking(Kind.REFUSE, caller, ownSlot) != null;
    }

    /** Whether a fault lets the connection that this rank opens to the peer now fail at once. */
    boolean refusesDialTo(int peer) {
        return striking(Kind.REFUSE, ownSlot, peer) != null;
    }

    /** Whether a blackhole at present lets a connection that this rank opens to the peer go without an answer. */
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

    /**
     * The index of the bit that a fault inverts now; −1 for none. It is counted from the type field of an envelope on,
     * or, on a connection with encrypted records, from the first sealed byte of a record on.
     */
    int spoiltBit(int sender) {
        State state = striking(Kind.CORRUPT, sender, ownSlot);
        return state == null ? -1 : state.random.nextInt(8 * (LinkEnvelope.BYTES - LinkEnvelope.TYPE_OFFSET));
    }

    /** Whether any fault ever holds back bytes of the sender, so that its connections need a {@link DelayLine}. */
    boolean everDelays(int sender) {
        for (State state : all) {
            Kind kind = state.fault.kind();
            if ((kind == Kind.DELAY || kind == Kind.THROTTLE) && state.fault.hits(sender, ownSlot)) {
                return true;
            }
        }
        return false;
    }

    /** How long a fault holds back the bytes that arrive now, in nanoseconds; 0 for not at all. */
    long delayNs(int sender) {
        State state = striking(Kind.DELAY, sender, ownSlot);
        if (state == null) {
            return 0;
        }
        LinkTerms terms = state.fault.terms();
        long spreadNs = terms.spreadNs();
        return terms.lengthNs() + (spreadNs == 0 ? 0 : state.random.nextLong(-spreadNs, spreadNs + 1));
    }

    /** How many bytes of the sender per second are handed on here at most; 0 for any number. */
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
