package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.waits.NamedWait;

/**
 * The non-blocking collectives of this rank that go through shared memory, or may do so. Under the engine lock, except
 * {@link #makeOffer}.
 */
public final class HostRuns {
    private static final int MOST_RANKS = 64;

    final HostSetup setup;
    final Lending lending;
    final HostSleep sleep;
    final ScheduleRuns runs;
    /** After how many calls of a queue, which go by messages, its members make segments. */
    final int after;

    /** The queues that have operations under way or put off. */
    private final List<HostQueue> active = new ArrayList<>();

    /** What {@link #isNextInMemory} has found. */
    private HostQueue next;

    private int waits;

    public HostRuns(HostSetup setup, Lending lending, ScheduleRuns runs, RankSettings settings) {
        this.setup = setup;
        this.lending = lending;
        this.sleep = setup.sleep;
        this.runs = runs;
        this.after = settings.hostCollectivesAfter();
    }

    /**
     * Returns the queue for operations with such arguments; null if they always go by messages, at all members alike.
     */
    private HostQueue queue(HostShare share, HostArguments arguments) {
        int size = share.communicator.members().size();
        if (size < 2 || size > MOST_RANKS || !share.communicator.isOnOneHost() || arguments.areUnfit(size)) {
            return null;
        }
        return share.queue(this, !arguments.areShort(size));
    }

    /** Whether the next call with such arguments goes through shared memory, and this rank knows that. */
    public boolean isNextInMemory(HostShare share, HostArguments arguments) {
        next = queue(share, arguments);
        return next != null && next.next() == HostQueue.Way.MEMORY;
    }

    /**
     * Begins the operation of which {@link #isNextInMemory} has just said that it goes through shared memory, if it may
     * end at once. Returns true if it has ended with its normal result. Else {@link #startInMemory} is to follow.
     */
    public boolean isOverAtOnce(HostArguments arguments) {
        return next.isOverAtOnce(arguments);
    }

    /**
     * Begins the operation of which {@link #isNextInMemory} has just said that it goes through shared memory, or goes
     * on with it if {@link #isOverAtOnce} has begun it. Puts the operation off if its slot is not free.
     *
     * @param listener is told of the end, perhaps before this method returns
     */
    public NamedWait startInMemory(HostArguments arguments, ScheduleRun.Listener listener) {
        return next.start(arguments, null, null, listener);
    }

    /** Whether {@link #makeOffer} is to be called before the next call with such arguments. */
    public boolean isOfferWanted(HostShare share, HostArguments arguments) {
        HostQueue queue = queue(share, arguments);
        return queue != null && queue.isSetupDue();
    }

    /** Makes this rank's segment of shared memory for calls with such arguments. */
    public WindowOffer makeOffer(HostShare share, HostArguments arguments) {
        return share.queue(
                        this, !arguments.areShort(share.communicator.members().size()))
                .makeOffer();
    }

    /**
     * Discards the segment that {@link #makeOffer} has made for a call that did not begin, unless {@link #start} has
     * taken it over.
     */
    public void giveBack(WindowOffer offer) {
        if (!offer.isTaken() && offer.segment() != null) {
            setup.memory.discard(offer.segment());
        }
    }

    /**
     * Begins an operation through shared memory, or puts it off. Returns null if the operation goes by messages: then
     * it has not begun, but a setup of shared memory may have.
     *
     * @param byMessages the form in which it would go by messages
     * @param offer from {@link #makeOffer}; null if none was wanted when this rank asked
     * @param listener is told of the end, perhaps before this method returns
     */
    public NamedWait start(
            HostShare share,
            HostArguments arguments,
            CollectiveSchedule byMessages,
            WindowOffer offer,
            ScheduleRun.Listener listener) {
        HostQueue queue = queue(share, arguments);
        if (queue == null) {
            return null;
        }
        if (offer != null) {
            offer.take();
        }
        queue.beginSetupIfDue(offer);
        if (queue.next() == HostQueue.Way.MESSAGES) {
            queue.skip();
            return null;
        }
        boolean isPutOff = queue.next() == HostQueue.Way.PUT_OFF;
        return queue.start(arguments, byMessages, isPutOff ? mismatch(share, arguments.name()) : null, listener);
    }

    /**
     * Returns the error of the next operation, which is about to begin by messages or to be put off, if other ranks are
     * in another call in its place: they have shown that call in shared memory, and would wait for ever. Else null.
     */
    public CallError mismatch(HostShare share, String name) {
        String difference = share.difference();
        return difference == null ? null : setup.errors.mismatch(share.communicator, name, difference);
    }

    /** Whether any non-blocking operations are under way in shared memory, or put off. */
    public boolean hasOpen() {
        return !active.isEmpty();
    }

    /** Whether longer ones are. */
    public boolean hasLong() {
        for (int i = 0; i < active.size(); i++) {
            if (active.get(i).isLong()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets each operation go on, by one wave at most, if the flags of the other ranks allow it, and begins those that
     * were put off and whose slots are free. Returns how many operations went on, ended or began.
     */
    public int look() {
        int work = 0;
        for (int i = 0; i < active.size(); ) {
            HostQueue queue = active.get(i);
            work += queue.look();
            settle(queue);
            if (i < active.size() && active.get(i) == queue) {
                i++;
            }
        }
        return work;
    }

    /** Notes that a thread begins to wait for requests while operations are under way. */
    public void beginWait() {
        waits++;
        tellAll();
    }

    public void endWait() {
        waits--;
        tellAll();
    }

    private void tellAll() {
        for (int i = 0; i < active.size(); i++) {
            active.get(i).beToBeRung(waits > 0);
        }
    }

    void activate(HostQueue queue) {
        if (!queue.isActive) {
            queue.isActive = true;
            active.add(queue);
        }
    }

    /**
     * Brings up to date whether other ranks are to wake this rank for a queue. To be called when operations of the
     * queue may have begun or ended.
     */
    void settle(HostQueue queue) {
        queue.beToBeRung(waits > 0);
        if (queue.isIdle() && queue.isActive) {
            queue.isActive = false;
            active.remove(queue);
        }
    }
}
