package org.ulfmj.check.exhaustive.rounds;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.check.exhaustive.Numbered;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.WorldSize;

/**
 * The shipped {@link RendezvousCore} in the place of the launcher of a small world. A timer fires when an event of the
 * search says so.
 */
final class Launcher implements Replayed.Part {
    static final int GETS = 0;
    static final int ENDED = 1;
    static final int TIMER = 2;
    static final int CLOSES = 3;
    static final int ALLOWS = 4;

    private static final long LAST_CALL_NS = 10;
    private static final long CONFIRM_NS = 100;
    private static final long JOIN_NS = 1_000;

    /**
     * How many bits of an event or of a sent number are for the number of a message; the number of a process is in the
     * bits above.
     */
    private static final int BITS = 20;

    /**
     * The messages of all processes and of the launcher, by number. Shared by all of one thread, and no part of the
     * launcher's state.
     */
    private static final ThreadLocal<Numbered<RendezvousMessage>> MESSAGES = new ThreadLocal<>();

    private final RendezvousCore core;
    private final Mail mail = new Mail();

    Launcher(RoundsSmall world) {
        RunSpec run = world.isStatic()
                ? new RunSpec("run", world.seats(), 0, JOIN_NS, CONFIRM_NS).withRestarts()
                : new RunSpec("run", new WorldSize(world.min(), world.max(), LAST_CALL_NS), 0, JOIN_NS, CONFIRM_NS);
        core = new RendezvousCore(run, new SilentListener());
    }

    static void use(Numbered<RendezvousMessage> messages) {
        MESSAGES.set(messages);
    }

    static int event(int what, int process, int detail) {
        if (detail >= 1 << BITS) {
            throw new IllegalStateException("more than " + (1 << BITS) + " messages");
        }
        return what << BITS + 4 | process << BITS | detail;
    }

    /** The process to which a message goes, out of a number in the list of sent messages. */
    static int receiver(int sent) {
        return sent >> BITS;
    }

    static int message(int sent) {
        return sent & (1 << BITS) - 1;
    }

    @Override
    public void take(int event, List<Integer> sent) {
        mail.sent = sent;
        long process = event >> BITS & 15;
        int detail = event & (1 << BITS) - 1;
        switch (event >> BITS + 4) {
            case GETS -> core.onMessage(process, MESSAGES.get().value(detail), 0, mail);
            case ENDED -> core.onEnded(core.nameOf(process), "killed", 0, mail);
            case TIMER -> core.onTick(core.nextDeadlineNs(), mail);
            case CLOSES -> core.onClose("the job is over", mail);
            default -> core.onRestartAllowed(new ProcessId((int) process, detail));
        }
        mail.sent = new ArrayList<>();
    }

    RendezvousCore.Phase phase() {
        return core.phase();
    }

    /** Whether the process has joined and has not ended as far as the core knows. */
    boolean knows(int process) {
        return core.nameOf(process) != null;
    }

    /** Whether a timer is running. */
    boolean hasTimer() {
        return core.nextDeadlineNs() != Long.MAX_VALUE;
    }

    /** Collects the messages that the core sends in one step; holds none between steps. */
    private static final class Mail implements Outbox<Long, RendezvousMessage> {
        private List<Integer> sent = new ArrayList<>();

        @Override
        public void send(Long nonce, RendezvousMessage message) {
            sent.add(nonce.intValue() << BITS | MESSAGES.get().number(message));
        }
    }
}
