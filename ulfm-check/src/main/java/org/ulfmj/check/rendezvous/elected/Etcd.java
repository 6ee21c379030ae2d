package org.ulfmj.check.rendezvous.elected;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntConsumer;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.rendezvous.elect.EtcdReply;
import org.ulfmj.rendezvous.elect.EtcdRequest;
import org.ulfmj.rendezvous.marked.Entry;
import org.ulfmj.rendezvous.marked.Txn;
import org.ulfmj.rendezvous.marked.TxnAnswer;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * A simulation of etcd for one job, with requests that come late, twice or never, answers that are lost, and times in
 * which etcd is away.
 */
final class Etcd implements Protocol<Integer, Line> {
    static final int NODE = 0;

    /** A request that is carried out later. */
    private record Late(int from, Line line, long dueNs, boolean isAnswered, boolean isRepeated) {}

    private final Simulation world;
    private final ElectionKeys keys;
    private final SimProcess<Integer, Line> process;
    private final SeededRandom random;
    private final StoredKeys stored = new StoredKeys();
    private final List<Late> late = new ArrayList<>();

    /** The percentage of the candidates' requests that a fault hits while there is no outage, until calmDown(). */
    private final int faults;

    /** Called with the node of the sender for some of the writes that are delayed. */
    private final IntConsumer onLateWrite;

    /** How many outages there are just now. */
    private int outages;

    private boolean isCalm;

    Etcd(Simulation world, ElectionKeys keys, SimProcess<Integer, Line> process, int faults, IntConsumer onLateWrite) {
        this.onLateWrite = onLateWrite;
        this.world = world;
        this.keys = keys;
        this.process = process;
        this.random = world.random("etcd");
        this.faults = faults;
    }

    SimProcess<Integer, Line> process() {
        return process;
    }

    /** The term of the process that has the office now; 0 if no process has it. */
    long term() {
        stored.expire(process.clockNs());
        Entry office = stored.get(keys.office());
        return office == null ? 0 : office.created();
    }

    /** Whether a coordinator has stored its state. */
    boolean hasState() {
        return state() != null;
    }

    /** Begins an outage, which {@link #comeBack} ends. While there is an outage, no request is answered. */
    void goAway() {
        outages++;
    }

    /**
     * Ends one outage.
     *
     * @param isExtending whether all leases that have not been ended begin anew; otherwise leases may have run out
     *     during the outage
     */
    void comeBack(boolean isExtending) {
        process.input("comes back", NODE, null, (nowNs, out) -> {
            outages--;
            if (isExtending) {
                stored.extend(nowNs);
            }
        });
    }

    /** From now on no fault but an outage hits new requests; those that were delayed before still come late. */
    void calmDown() {
        isCalm = true;
    }

    @Override
    public void onMessage(Integer from, Line line, long nowNs, Outbox<Integer, Line> out) {
        if (outages > 0) {
            if (random.chance(30)) {
                late.add(new Late(from, line, nowNs + random.between(0, 3 * Times.TTL_NS), false, false));
            }
            return;
        }
        boolean isFaulty = !isCalm && line.kind() == Line.Kind.ASKED && random.chance(faults);
        if (!isFaulty) {
            carryOut(from, line, true, false, nowNs, out);
            return;
        }
        long laterNs = nowNs + random.between(0, 3 * Times.TTL_NS);
        switch (random.below(5)) {
            case 0 -> {} // the request is lost
            case 1 -> carryOut(from, line, false, false, nowNs, out);
            case 2 -> {
                late.add(new Late(from, line, laterNs, true, false));
                if (isWrite(line.request()) && random.chance(30)) {
                    onLateWrite.accept(from);
                }
            }
            case 3 -> {
                carryOut(from, line, true, false, nowNs, out);
                late.add(new Late(from, line, laterNs, false, false));
            }
            default -> {
                // The client got no answer, and has sent the request to another server at once.
                carryOut(from, line, false, false, nowNs, out);
                late.add(new Late(from, line, nowNs + random.between(0, Times.RETRY_NS), true, true));
            }
        }
    }

    private void carryOut(
            int from, Line line, boolean isAnswered, boolean isRepeated, long nowNs, Outbox<Integer, Line> out) {
        stored.expire(nowNs);
        if (line.kind() == Line.Kind.LOOKS) {
            out.send(from, Line.seen(address()));
            return;
        }
        byte[] before = state();
        EtcdReply reply = stored.carryOut(line.request(), nowNs);
        if (!Arrays.equals(before, state())) {
            requireInOffice(from, line);
        }
        if (isRepeated && reply instanceof EtcdReply.Done done) {
            TxnAnswer once = done.answer();
            reply = new EtcdReply.Done(new TxnAnswer(once.fate(), once.revision(), once.read(), true));
        }
        if (isAnswered) {
            out.send(from, Line.answered(line.number(), reply));
        } else if (isWrite(line.request())) {
            world.cover("a write got no answer");
        }
    }

    private static boolean isWrite(EtcdRequest request) {
        return request instanceof EtcdRequest.Transact transact
                && transact.txn().writes().stream().map(Txn.Write::lease).anyMatch(lease -> lease == 0);
    }

    private byte[] state() {
        Entry state = stored.get(keys.state());
        return state == null ? null : state.value();
    }

    /** C4: checks that the term of the office is the one in which the sender of a write of the state believes to be. */
    private void requireInOffice(int from, Line line) {
        Entry office = stored.get(keys.office());
        long term = office == null ? 0 : office.created();
        if (line.term() != term) {
            throw new Violation("only the one in office writes: process " + from + " has written the state in its term "
                    + line.term() + ", the office is that of term " + term);
        }
    }

    private int address() {
        Entry office = stored.get(keys.office());
        boolean isThere = office != null && office.value().length > 0;
        return isThere ? Integer.parseInt(new String(office.value(), StandardCharsets.UTF_8)) : Line.NONE;
    }

    @Override
    public void onTick(long nowNs, Outbox<Integer, Line> out) {
        List<Late> due = new ArrayList<>();
        for (Iterator<Late> each = late.iterator(); each.hasNext(); ) {
            Late one = each.next();
            if (one.dueNs() <= nowNs) {
                each.remove();
                due.add(one);
            }
        }
        for (Late one : due) {
            if (outages == 0) {
                carryOut(one.from(), one.line(), one.isAnswered(), one.isRepeated(), nowNs, out);
            }
        }
    }

    @Override
    public long nextDeadlineNs() {
        long nextNs = Long.MAX_VALUE;
        for (Late one : late) {
            nextNs = Math.min(nextNs, one.dueNs());
        }
        return nextNs;
    }
}
