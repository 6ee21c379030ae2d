package org.ulfmj.check.exhaustive.rounds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.check.exhaustive.Numbered;
import org.ulfmj.check.exhaustive.rounds.RoundsSmall.Fault;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.MemberRecord;

/** Carries out the events of a small world on its states. */
final class RoundsWorld {
    /** The limit of rounds: a world that has more is broken. */
    private static final int MOST_ROUNDS = 14;

    private final RoundsSmall world;
    private final Numbered<RendezvousMessage> messages = new Numbered<>();
    private final Numbered<Client.Entered> worlds = new Numbered<>();
    private final Numbered<List<Integer>> lists = new Numbered<>();
    private final Replayed<Launcher> launchers;
    private final TreeMap<Integer, Replayed<Client>> clients = new TreeMap<>();

    RoundsWorld(RoundsSmall world) {
        this.world = world;
        Launcher.use(messages);
        Client.use(messages, worlds);
        lists.number(List.of());
        launchers = new Replayed<>(() -> new Launcher(world));
    }

    Row first() {
        Row row = new Row(world.processes());
        for (Fault fault : Fault.values()) {
            row.left(fault, fault == Fault.MUTE ? 0 : world.most(fault));
        }
        for (int process = 0; process < world.seats(); process++) {
            row.life(process, Row.Life.UP);
            row.seat(process, process);
        }
        return row;
    }

    Launcher launcher(Row row) {
        return launchers.part(row.launcher());
    }

    Client client(Row row, int process) {
        return clients(row, process).part(row.client(process));
    }

    int parts() {
        int parts = launchers.size();
        for (Replayed<Client> each : clients.values()) {
            parts += each.size();
        }
        return parts;
    }

    private Replayed<Client> clients(Row row, int process) {
        int seat = row.seat(process);
        int incarnation = 0;
        for (int older = 0; older < process; older++) {
            incarnation += row.life(older) != Row.Life.NOT_STARTED && row.seat(older) == seat ? 1 : 0;
        }
        ProcessId slot = world.isStatic() ? new ProcessId(seat, incarnation) : null;
        return clients.computeIfAbsent(
                (process * 16 + seat) * 16 + incarnation,
                key -> new Replayed<>(() -> new Client(process, seat, slot, process < world.most(Fault.MUTE))));
    }

    List<Integer> list(int number) {
        return lists.value(number);
    }

    RendezvousMessage message(int number) {
        return messages.value(number);
    }

    // ---- the launcher ----

    void launcherTakes(Row row, int what, int process, int detail) {
        Replayed.Step step = launchers.step(row.launcher(), Launcher.event(what, process, detail));
        row.launcher(step.next());
        for (int sent : step.sent()) {
            int receiver = Launcher.receiver(sent);
            judge(row, messages.value(Launcher.message(sent)));
            if (what == Launcher.GETS) {
                judgeAnswer(row, messages.value(detail), messages.value(Launcher.message(sent)));
            }
            if (row.isUp(receiver)) {
                List<Integer> queue = new ArrayList<>(list(row.queue(receiver)));
                if (queue.isEmpty() || queue.get(queue.size() - 1) != Launcher.message(sent)) {
                    queue.add(Launcher.message(sent));
                }
                row.queue(receiver, lists.number(List.copyOf(queue)));
            }
        }
    }

    /** V10: a process that joins during a roll call must not be told to wait for a world. */
    private void judgeAnswer(Row row, RendezvousMessage asked, RendezvousMessage answer) {
        boolean isJoin = asked instanceof RendezvousMessage.JoinAnywhere || asked instanceof RendezvousMessage.Join;
        if (isJoin
                && answer instanceof RendezvousMessage.Wait
                && launcher(row).phase() == RendezvousCore.Phase.ROLLCALL) {
            throw new Violation("roll call: a process that joins is told to wait for a world that may be gone");
        }
    }

    private void judge(Row row, RendezvousMessage message) {
        boolean isAlwaysFull = world.min() == world.max() && world.most(Fault.ADMIT) == 0;
        if (message instanceof RendezvousMessage.Waiting && isAlwaysFull) {
            throw new Violation("spares: members hear that one waits, and their world is full");
        }
        if (message instanceof RendezvousMessage.Table table && table.round() > MOST_ROUNDS) {
            throw new Violation("rounds end: this is round " + table.round());
        }
        if (!(message instanceof RendezvousMessage.Final begun) || begun.epoch() > 0) {
            return;
        }
        if (begun.members().size() < world.min()) {
            throw new Violation("barrier: a world of " + begun.members().size() + " began");
        }
        for (MemberRecord member : begun.members()) {
            requireNotDisplaced(row, (int) member.nonce());
            if (row.confirmed((int) member.nonce()) != begun.round()) {
                throw new Violation("barrier: the world of round " + begun.round() + " began, but process "
                        + member.nonce() + " has not confirmed it");
            }
        }
    }

    /** V11: in a static world no process takes the slot of one that has joined and may still run. */
    private void requireNotDisplaced(Row row, int process) {
        for (int older = 0; world.isStatic() && older < process; older++) {
            if (row.seat(older) == row.seat(process)
                    && row.isUp(older)
                    && launcher(row).knows(older)) {
                throw new Violation(
                        "exclusivity: process " + process + " takes the slot of process " + older + ", which lives");
            }
        }
    }

    /** The launcher receives one of the messages that are on their way from a process, in any order. */
    void takeOne(Row row, int process, int message) {
        List<Integer> bag = new ArrayList<>(list(row.bag(process)));
        bag.remove(Integer.valueOf(message));
        row.bag(process, lists.number(List.copyOf(bag)));
        launcherTakes(row, Launcher.GETS, process, message);
    }

    // ---- processes ----

    void takes(Row row, int process, int what, int detail) {
        Replayed.Step step = clients(row, process).step(row.client(process), Client.event(what, detail));
        row.client(process, step.next());
        row.confirmed(process, client(row, process).confirmed());
        TreeSet<Integer> bag = new TreeSet<>(list(row.bag(process)));
        for (int sent : step.sent()) {
            bag.add(sent);
        }
        row.bag(process, lists.number(List.copyOf(bag)));
        endIfOut(row, process);
    }

    private void endIfOut(Row row, int process) {
        Client client = client(row, process);
        if (client.out() == null && !client.isFenced()) {
            return;
        }
        String reason = client.isFenced() ? "FENCED" : client.out().name();
        boolean isMute = client.isMute();
        if (reason.equals("FENCED") && !row.isDirty(process)) {
            throw new Violation("healthy: process " + process + " was told FENCED");
        }
        if (reason.equals("NO_CONFIRM") && !row.isDirty(process) && !isMute) {
            throw new Violation("healthy: process " + process + " was told NO_CONFIRM");
        }
        if (reason.equals("CLOSED") && !row.isClosed()) {
            throw new Violation("closed: process " + process + " was told CLOSED, and no CLOSE was given");
        }
        row.end(process, Row.Life.OVER);
    }

    void receives(Row row, int process) {
        List<Integer> queue = list(row.queue(process));
        row.queue(process, lists.number(List.copyOf(queue.subList(1, queue.size()))));
        takes(row, process, Client.GETS, queue.get(0));
    }

    void reconnects(Row row, int process, boolean isLossy) {
        row.queue(process, 0);
        if (isLossy) {
            row.bag(process, 0);
        }
        takes(row, process, Client.CONNECTS, 0);
    }

    void forgets(Row row, int process) {
        row.bag(process, 0);
    }

    // ---- worlds ----

    private boolean isRunning(Row row, int process) {
        return row.isUp(process) && client(row, process).isRunning();
    }

    Client.Entered welcome(Row row, int process) {
        return worlds.value(row.welcome(process) - 1);
    }

    void enters(Row row, int process) {
        int number = row.welcome(process) - 1;
        row.welcome(process, 0);
        takes(row, process, Client.ENTERS, number);
    }

    /**
     * Whether a process still runs that can welcome this process: one of the world that admitted it, or of a later
     * epoch of that world.
     */
    boolean hasWelcomer(Row row, int process) {
        Client.Entered entered = welcome(row, process);
        for (int other = 0; other < row.processes(); other++) {
            if (isRunning(row, other)
                    && client(row, other).round() == entered.round()
                    && client(row, other).epoch() >= entered.epoch()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether another process, one that is not paused, runs in a later epoch of the same round, whose table does not
     * list this process.
     */
    boolean isLeftBehind(Row row, int process) {
        Client me = client(row, process);
        for (int other = 0; other < row.processes(); other++) {
            if (isRunning(row, other) && row.isAble(other)) {
                Client that = client(row, other);
                if (that.round() == me.round() && that.epoch() > me.epoch() && !lists(that.table(), process)) {
                    return true;
                }
            }
        }
        return false;
    }

    static boolean lists(List<MemberRecord> table, int process) {
        return table.stream().anyMatch(member -> member.nonce() == process);
    }

    /**
     * The next world on which the members of a process's world decide: without those that have ended or are paused, and
     * with processes that are known to wait, as far as there is room. Null if that changes nothing, if a member that is
     * up and not paused is not in this world, if a later epoch has left the process out, or if a member with a lower
     * number decides instead.
     */
    Client.Entered decision(Row row, int process) {
        Client me = client(row, process);
        for (int other = 0; other < process; other++) {
            if (row.isAble(other) && isSameWorld(row, other, me)) {
                return null;
            }
        }
        if (isLeftBehind(row, process)) {
            return null;
        }
        boolean hasChanged = false;
        TreeMap<Integer, MemberRecord> next = new TreeMap<>();
        TreeSet<Integer> before = new TreeSet<>();
        for (MemberRecord member : me.table()) {
            int holder = (int) member.nonce();
            before.add(member.id().slot());
            if (row.isAble(holder) && isSameWorld(row, holder, me)) {
                next.put(member.id().slot(), member);
            } else if (row.isAble(holder)) {
                return null;
            } else {
                hasChanged = true;
            }
        }
        for (int other = 0; other < row.processes(); other++) {
            boolean waits = row.isAble(other)
                    && client(row, other).isPending()
                    && client(row, other).round() == me.round()
                    && (world.isStatic() ? launcher(row).knows(other) : isKnownToWait(row, me, other))
                    && !lists(me.table(), other);
            int slot = waits ? slotFor(client(row, other).me(), next, before) : -1;
            if (slot >= 0) {
                MemberRecord newcomer = client(row, other).me();
                next.put(slot, world.isStatic() ? newcomer : newcomer.named(ProcessId.of(slot)));
                hasChanged = true;
            }
        }
        return hasChanged ? new Client.Entered(me.round(), me.epoch() + 1, new ArrayList<>(next.values())) : null;
    }

    private boolean isSameWorld(Row row, int other, Client me) {
        return isRunning(row, other)
                && client(row, other).round() == me.round()
                && client(row, other).epoch() == me.epoch();
    }

    /** Whether a member of the world, one that is not paused, was told that the process waits. */
    private boolean isKnownToWait(Row row, Client me, int waiting) {
        for (int member = 0; member < row.processes(); member++) {
            if (row.isAble(member)
                    && isSameWorld(row, member, me)
                    && client(row, member).knowsWaiting(waiting)) {
                return true;
            }
        }
        return false;
    }

    private int slotFor(MemberRecord newcomer, TreeMap<Integer, MemberRecord> next, TreeSet<Integer> before) {
        if (world.isStatic()) {
            return next.containsKey(newcomer.id().slot()) ? -1 : newcomer.id().slot();
        }
        if (next.size() >= world.max()) {
            return -1;
        }
        TreeSet<Integer> taken = new TreeSet<>(before);
        taken.addAll(next.keySet());
        return taken.isEmpty() ? 0 : Collections.max(taken) + 1;
    }

    /** All members of a new world that run in a world enter it; the others are noted as still to be welcomed. */
    void admit(Row row, Client.Entered entered) {
        int number = worlds.number(entered);
        for (MemberRecord member : entered.members()) {
            int process = (int) member.nonce();
            if (client(row, process).isRunning()) {
                takes(row, process, Client.ENTERS, number);
            } else {
                row.welcome(process, number + 1);
            }
        }
    }
}
