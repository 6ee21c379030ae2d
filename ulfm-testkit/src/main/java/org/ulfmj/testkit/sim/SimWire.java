package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.testkit.launcher.RankLine;

/**
 * The connection between a process of a {@link SimJob} and its launcher. Messages take time on it, and none overtakes
 * another in its direction. Needs the baton.
 */
final class SimWire implements Runnable {
    private final SimJob job;
    private final SimLauncher launcher;
    private final RankLine line;
    private final Deque<RendezvousMessage> down = new ArrayDeque<>();

    /** The state letter of the process when it stands still. */
    final char letter;

    /** Null while the process has no name. */
    private SimRank rank;

    private long upNs;
    private long downNs;
    private long lostNs = Long.MAX_VALUE;

    SimWire(SimJob job, SimLauncher launcher, RankLine line, char letter) {
        this.job = job;
        this.launcher = launcher;
        this.line = line;
        this.letter = letter;
        this.rank = line.isNameless() ? null : newRank();
    }

    RankLine line() {
        return line;
    }

    private SimRank newRank() {
        return new SimRank(job, this, line.me().id(), job.slots());
    }

    /** The process, which joined without a name, has got one. Returns its rank, which is to begin. */
    SimRank named() {
        rank = newRank();
        return rank;
    }

    /** Returns the rank of the process, which may not have begun yet; null while the process has no name. */
    SimRank rank() {
        return rank;
    }

    /** Sets the time from which on no message of the launcher arrives. */
    void loseAt(long timeNs) {
        lostNs = timeNs;
    }

    long lostNs() {
        return lostNs;
    }

    /** The time at which the latest message of the launcher arrives, if the process does not stand still then. */
    long downNs() {
        return downNs;
    }

    void up(RendezvousMessage message) {
        if (!launcher.hasEnded() && !hasEnded()) {
            upNs = Math.max(upNs + 1, job.nowNs() + launcher.wordNs());
            job.at(upNs, () -> launcher.hear(this, message));
        }
    }

    void down(RendezvousMessage message) {
        down.addLast(message);
        downNs = Math.max(downNs + 1, job.nowNs() + launcher.wordNs());
        job.at(downNs, this);
    }

    private boolean hasEnded() {
        return rank != null && rank.hasEnded();
    }

    /**
     * Delivers the next message, or lets it wait because the process stands still. The message is dropped if it is
     * lost, or if the process or the run has ended.
     */
    @Override
    public void run() {
        if (rank != null && rank.isPaused(this)) {
            return;
        }
        RendezvousMessage message = down.removeFirst();
        boolean isLost = job.nowNs() >= lostNs || launcher.abortCode() != null;
        if (isLost || job.isOver() || hasEnded()) {
            return;
        }
        if (rank == null) {
            line.take(message);
            return;
        }
        String news = nameOf(message);
        job.note(SimJournal.Kind.NEWS, rank, news.hashCode(), news);
        if (line.take(message)) {
            job.begin(rank);
        } else {
            rank.poll();
        }
    }

    private static String nameOf(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Death death) {
            return "death of rank " + death.process();
        }
        if (message instanceof RendezvousMessage.Departed departed) {
            return "departure of rank " + departed.process();
        }
        if (message instanceof RendezvousMessage.Pending pending) {
            return "rank " + pending.member().id() + " waits";
        }
        if (message instanceof RendezvousMessage.NoMore none) {
            return "rank " + none.slot() + " is not started again";
        }
        return message.getClass().getSimpleName();
    }
}
