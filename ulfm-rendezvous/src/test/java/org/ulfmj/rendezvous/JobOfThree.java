package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.transport.MemberRecord;

/**
 * The core of a job of three ranks. The first process of slot s has nonce 10 + s, its replacement 20 + s, and so on.
 */
final class JobOfThree {
    static final long MS = 1_000_000;
    static final String ENDED = "the process that was started as rank ";
    final RecordedListener listener = new RecordedListener();
    final RendezvousCore core;
    private final List<String> sent = new ArrayList<>();
    final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(nonce + ":" + describe(message));

    /** Makes a core that does not judge silences. */
    JobOfThree(boolean restarts) {
        this(restarts, 0);
    }

    JobOfThree(boolean restarts, long silenceNs) {
        this(restarts, silenceNs, 0);
    }

    JobOfThree(boolean restarts, long silenceNs, long leaseNs) {
        this(restarts, silenceNs, leaseNs, false);
    }

    JobOfThree(boolean restarts, long silenceNs, long leaseNs, boolean needsMajority) {
        // This time limit also bounds the first answer to the judge, which no process of these jobs gives.
        long confirmNs = silenceNs > 0 ? silenceNs : 10_000 * MS;
        core = new RendezvousCore(
                new RunSpec("job", 3, 0, 600_000 * MS, confirmNs)
                        .withRestarts(restarts)
                        .withSilence(silenceNs)
                        .withLease(leaseNs)
                        .withMajority(needsMajority),
                listener);
    }

    void join(int slot, int incarnation) {
        says(slot, incarnation, new RendezvousMessage.Join(member(slot, incarnation), 0, 0));
    }

    void join(MemberRecord member, long nowNs) {
        core.onMessage(member.nonce(), new RendezvousMessage.Join(member, 0, 0), nowNs, out);
    }

    void joinAll() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
    }

    /** Tells the core that the launcher starts the next process of a slot, and lets that process join. */
    void restart(int slot, int incarnation) {
        core.onRestartAllowed(id(slot, incarnation));
        join(slot, incarnation);
    }

    void spare(long nonce, int number) {
        core.onMessage(nonce, new RendezvousMessage.Spare(number), 0, out);
    }

    void confirm(int slot, int round) {
        says(slot, 0, new RendezvousMessage.Confirm(round));
    }

    void says(int slot, int incarnation, RendezvousMessage message) {
        core.onMessage(nonce(slot, incarnation), message, 0, out);
    }

    void confirmAll(int round, int incarnation) {
        for (int slot = 0; slot < 3; slot++) {
            says(slot, incarnation, new RendezvousMessage.Confirm(round));
        }
    }

    void makeWorld() {
        joinAll();
        confirmAll(1, 0);
        forget();
    }

    /** Makes a running world in which slot 2 has died, and its replacement 2'1 waits to be admitted. */
    void makeWorldWithNewcomer() {
        makeWorld();
        end(2, 0);
        restart(2, 1);
        forget();
    }

    void forget() {
        take();
        listener.take();
    }

    List<String> take() {
        List<String> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    void end(int slot, int incarnation) {
        core.onEnded(id(slot, incarnation), "killed", 0, out);
    }

    void commit(int slot, int incarnation, int epoch, long digest, MemberRecord... members) {
        says(slot, incarnation, new RendezvousMessage.Committed(1, epoch, List.of(members), digest));
    }

    private static String describe(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Table table) {
            return "Table " + table.round() + " of " + ids(table.members());
        }
        if (message instanceof RendezvousMessage.Final world) {
            return "Final " + world.round() + "." + world.epoch() + " of " + ids(world.members());
        }
        if (message instanceof RendezvousMessage.Wait wait) {
            return "Wait " + wait.round() + "." + wait.epoch() + " for " + ids(wait.members());
        }
        if (message instanceof RendezvousMessage.Pending pending) {
            return "Pending " + pending.member().id();
        }
        if (message instanceof RendezvousMessage.Death death) {
            return "Death " + death.process() + " (" + death.reason() + ")";
        }
        return message.toString();
    }

    private static List<ProcessId> ids(List<MemberRecord> members) {
        return members.stream().map(MemberRecord::id).toList();
    }

    static ProcessId id(int slot, int incarnation) {
        return new ProcessId(slot, incarnation);
    }

    static MemberRecord member(int slot, int incarnation) {
        return Members.member(id(slot, incarnation), nonce(slot, incarnation), 4000 + slot);
    }

    private static long nonce(int slot, int incarnation) {
        return 10L * (incarnation + 1) + slot;
    }
}
