package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;

/**
 * A process that waits to be let in by grow() and has no slot (G7, G10). Its only name is its nonce. A member that has
 * fixed it as a member of the next world greets it with that nonce and with the process that it is there: slot and
 * incarnation.
 *
 * <p>Members may name different slots: one that died, or that wrongly holds others for failed, may have seen other
 * joiners. So the process answers under each name that it was given, with one newcomer's core per name. The first core
 * that is welcomed places the process. The other names are not this process: what is said to them gets no answer, as of
 * a process that is not there: {@code NOT_ME}. That answer is evidence that the name has failed, of kind SUSPECTED. The
 * process itself lives and answers the launcher, so no judge of silences would ever end the wait for that name.
 *
 * <p>The launcher's news comes while the process has no name, too. All of it is kept, for the core of each name that it
 * is given later: a member without it would offer less than the others know, or wait for what will not come.
 *
 * <p>An object of this class is for one round of the rendezvous: the driver makes another one when the launcher tells
 * it to wait for the world of a higher round. Slots begin anew there, so a name of the earlier round may be given
 * again, to this process or to another. While the launcher counts on its waiting (V14: it has answered a roll call, and
 * was not told to wait since) the process is welcomed by no member: the driver holds welcomes until then.
 *
 * <p>Driven by one thread, with its {@link Effects}: the driver makes the cores, and reports here what a core tells it.
 */
public final class Unplaced {
    /**
     * The most names. Each is the decision of members of which none lived to carry it out, or of another half of the
     * world: more than a few are a fault of the members. Each costs a core with all that it holds.
     */
    static final int MAX_NAMES = 64;

    private final long nonce;
    private final Function<ProcessId, SurvivorCore> cores;
    private final SortedMap<ProcessId, SurvivorCore> named = new TreeMap<>();
    private final SortedSet<ProcessId> ended = new TreeSet<>();
    private final Announcements heard = new Announcements();
    private ProcessId placed;

    /** @param cores makes the core of this process under a name, by {@link SurvivorCore#newcomer} */
    public Unplaced(long nonce, Function<ProcessId, SurvivorCore> cores) {
        this.nonce = nonce;
        this.cores = cores;
    }

    public long nonce() {
        return nonce;
    }

    /**
     * A process that has proven the job's secret names this one. The driver asks at the first message of a link, and
     * refuses the link where the answer is null: {@code NOT_ME}. If the nonce is the one of this process, the other one
     * reports that as evidence of the failure of the name.
     *
     * @param name the process that this one is to the other
     * @param itsNonce the nonce of the process that the other one means
     * @return the core for all that comes by this link
     */
    public SurvivorCore greeted(
            ProcessId name, long itsNonce, long nowNs, Outbox<ProcessId, ControlMessage> outOfThatName) {
        if (itsNonce != nonce || placed != null && !placed.equals(name) || ended.contains(name)) {
            return null;
        }
        SurvivorCore known = named.get(name);
        if (known != null || placed != null || named.size() + ended.size() >= MAX_NAMES) {
            return known;
        }
        SurvivorCore core = cores.apply(name);
        named.put(name, core);
        core.start(nowNs, outOfThatName);
        core.hears(heard, nowNs, outOfThatName);
        return core;
    }

    /** The launcher's news of a joiner: keeps it, and tells it to the cores that there are. */
    public void waiting(Joiner joiner) {
        if (placed == null) {
            heard.waiting(joiner);
        }
        named.values().forEach(core -> core.waiting(joiner));
    }

    /** The launcher's news that a process does not wait any more, as {@link #waiting}. */
    public void noLongerWaiting(long itsNonce) {
        heard.noLongerWaiting(itsNonce);
        named.values().forEach(core -> core.noLongerWaiting(itsNonce));
    }

    /** The launcher's news of a process that waits for a slot, as {@link #waiting}. */
    public void pending(Contact replacement, long nowNs, Function<ProcessId, Outbox<ProcessId, ControlMessage>> outs) {
        if (placed == null) {
            heard.pending(replacement);
        }
        each((name, core) -> core.pending(replacement, nowNs, outs.apply(name)));
    }

    /** The launcher's news of a slot for which no process is started any more, as {@link #waiting}. */
    public void noMore(int slot, String why, long nowNs, Function<ProcessId, Outbox<ProcessId, ControlMessage>> outs) {
        heard.noMore(slot, why);
        each((name, core) -> core.noMore(slot, why, nowNs, outs.apply(name)));
    }

    /** No process is started any more for any slot, as {@link #waiting}. */
    public void noMore(String why, long nowNs, Function<ProcessId, Outbox<ProcessId, ControlMessage>> outs) {
        heard.noMore(why);
        each((name, core) -> core.noMore(why, nowNs, outs.apply(name)));
    }

    /** The launcher's news of an end, as {@link #waiting} and {@link SurvivorCore#onEnd}. */
    public void onEnd(
            long itsNonce, Evidence evidence, long nowNs, Function<ProcessId, Outbox<ProcessId, ControlMessage>> outs) {
        if (placed == null) {
            heard.ended(itsNonce, new End(evidence));
        }
        each((name, core) -> core.onEnd(itsNonce, evidence, nowNs, outs.apply(name)));
    }

    private void each(BiConsumer<ProcessId, SurvivorCore> step) {
        new TreeMap<>(named).forEach(step);
    }

    /** The core under this name was welcomed: the process has this slot for good. */
    public void isPlaced(ProcessId name) {
        SurvivorCore core = named.get(name);
        if (placed != null || core == null) {
            throw new IllegalStateException("named " + name + ", and " + this);
        }
        placed = name;
        named.clear();
        named.put(name, core);
    }

    /**
     * The core under this name has ended: the world that gave the name has gone on without it, or holds it for failed.
     *
     * @return whether no other name is left, so that the process ends
     */
    public boolean hasEnded(ProcessId name) {
        named.remove(name);
        ended.add(name); // else the next message to that name would make it anew
        return named.isEmpty();
    }

    /** The process that this one is; null while it has no slot. */
    public ProcessId placed() {
        return placed;
    }

    /** The names that this process was given and answers to. */
    public List<ProcessId> names() {
        return new ArrayList<>(named.keySet());
    }

    /** The cores under all names, for time to pass in them. */
    public Collection<SurvivorCore> cores() {
        return new ArrayList<>(named.values());
    }

    @Override
    public String toString() {
        return "process " + Long.toHexString(nonce) + (placed == null ? " without a slot" : " placed as " + placed)
                + " named " + named.keySet();
    }
}
