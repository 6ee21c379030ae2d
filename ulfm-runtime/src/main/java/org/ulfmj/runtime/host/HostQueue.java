package org.ulfmj.runtime.host;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.FirstLooks;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.Segment;

/**
 * Those non-blocking collectives of one communicator that shared memory may carry: one queue has the short ones,
 * another the longer ones. All members count the calls of a queue alike, and this number and the outcomes of the setups
 * decide which way each call goes.
 *
 * <p>After some calls the members make segments of shared memory, by messages, while the program goes on
 * ({@link WindowSetup}). The outcome takes effect a few calls later. A call that comes from then on, at a rank that
 * does not know the outcome yet, is put off until the rank knows it. A call whose slot is not free is put off as well.
 *
 * <p>Under the engine lock, except {@link #makeOffer}.
 */
final class HostQueue {
    /** Which way a call goes. */
    enum Way {
        MESSAGES,
        MEMORY,
        /** Not known yet here. */
        PUT_OFF
    }

    private static final long NEVER = Long.MAX_VALUE;
    /**
     * How many calls of the queue, at most, go by messages, from the one that begins a setup on, before the outcome of
     * the setup takes effect.
     */
    private static final int LEAD = 8;
    /**
     * How many calls go by messages from the one at which the first setup would have taken effect, if it failed, before
     * the next setup begins; after each further failure twice as many as before, up to {@link #MOST_DOUBLINGS} times.
     */
    private static final int FIRST_PAUSE = 32;

    private static final int MOST_DOUBLINGS = 7;
    private static final int SHORT_PLACES = 16;
    private static final int LONG_PLACES = 2;
    /** After how many looks at the flags without progress the queue checks whether another rank is in another call. */
    private static final int LOOKS_A_CHECK = 16;

    final HostRuns all;
    final MessageContext communicator;
    private final boolean isLong;
    private final int lead;

    /** How many calls there were. */
    private long calls;
    /** The number of the call that begins the next setup. */
    private long setupAt;
    /** The number of the first call for which the outcome of the last setup counts. */
    private long inForceAt = NEVER;

    private int setups;
    private WindowSetup setup;
    /** Whether a {@link LateSetup}, which is to begin the next setup, is queued or runs. */
    private boolean isSetupLate;

    private HostWindow window;
    private HostWindow.View[] views;
    private VectorFold[] folds;
    private LentTries lentTries;

    /** Operations that have not begun. */
    private final ArrayDeque<HostRun> putOff = new ArrayDeque<>();

    private final List<HostRun> begun = new ArrayList<>();
    /** Objects of short operations that have ended, to be used again. */
    private final List<HostRun> idle = new ArrayList<>(0);
    /** Whether the call that is taking its number on the communicator now is a call of this queue. */
    private boolean isStarting;
    /**
     * An operation that {@link #isOverAtOnce} has begun and not ended, with which {@link #start} is to go on; mostly
     * null.
     */
    private ShortRun early;

    /** Whether {@link HostRuns} has this queue in its list of queues with operations. */
    boolean isActive;

    private final FirstLooks firstLooks;

    private int looksInVain;
    private boolean isClosed;

    HostQueue(HostRuns all, MessageContext communicator, boolean isLong) {
        this.all = all;
        this.communicator = communicator;
        this.isLong = isLong;
        this.setupAt = all.after;
        this.lead = Math.min(LEAD, all.after);
        this.firstLooks = new FirstLooks(all.setup.crowded);
    }

    /** The way of the next call. */
    Way next() {
        return way(calls);
    }

    private Way way(long count) {
        if (setup == null && window == null) {
            return count >= setupAt + lead ? Way.PUT_OFF : Way.MESSAGES;
        }
        if (count < inForceAt) {
            return Way.MESSAGES;
        }
        return window == null ? Way.PUT_OFF : Way.MEMORY;
    }

    /** Whether the next call begins a setup. */
    boolean isSetupDue() {
        return setup == null && window == null && calls >= setupAt && !isSetupLate && !isClosed;
    }

    private int places() {
        return isLong ? LONG_PLACES : SHORT_PLACES;
    }

    /** Makes the segment that this rank is to offer in the next setup. Without the engine lock. */
    WindowOffer makeOffer() {
        return new WindowOffer(makeSegment());
    }

    private Segment makeSegment() {
        int size = communicator.members().size();
        if (all.setup.memory == null || !all.setup.areReached(HostSetup.processes(communicator))) {
            return null;
        }
        int bytes =
                HostWindow.lengthBytes(places(), isLong ? StagedWaves.longestPlaceBytes() : HostArguments.SHORT_BYTES);
        return all.setup.memory.create(isLong ? Math.min(bytes, all.setup.memory.segmentBytes(size)) : bytes);
    }

    /**
     * Begins a setup, if one is due; else gives the offered segment back.
     *
     * @param offer the segment of this rank; null if the call had made none, because a setup before had not ended when
     *     it looked. A rank without an offer would make the setup fail at all members, so the setup then begins later
     */
    void beginSetupIfDue(WindowOffer offer) {
        if (!isSetupDue()) {
            giveBack(offer);
        } else if (offer == null) {
            beginSetupLate();
        } else {
            inForceAt = setupAt + lead;
            setup = new WindowSetup(this, offer.segment(), isLong, setups++);
            setup.begin();
        }
    }

    private void beginSetupLate() {
        isSetupLate = true;
        all.runs.steps().add(new LateSetup(this));
    }

    /** What a {@link LateSetup} offers was made. */
    void onLateOffer(WindowOffer offer) {
        isSetupLate = false;
        beginSetupIfDue(offer);
    }

    void giveBack(WindowOffer offer) {
        if (offer != null && offer.segment() != null) {
            all.setup.memory.discard(offer.segment());
        }
    }

    /** A call by messages. */
    void skip() {
        calls++;
    }

    /**
     * Begins the operation of the next call, which has the way {@link Way#MEMORY}, if nothing keeps it from that.
     * Returns true if the operation has ended with its normal result. Else {@link #start} is to follow.
     */
    boolean isOverAtOnce(HostArguments arguments) {
        if (isLong || !putOff.isEmpty() || ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            return false;
        }
        long number = calls - inForceAt + 1;
        if (!window.mayBegin(number)) {
            return false;
        }
        ShortRun run = (ShortRun) takeRun();
        run.set(arguments, calls, takeNumber(), null);
        calls++;
        run.window = window;
        run.number = number;
        run.isPutOff = false;
        window.begin(run);
        if (run.isOverAtOnce(firstLooks, all.setup.engine)) {
            giveBack(run);
            return true;
        }
        early = run;
        return false;
    }

    private long takeNumber() {
        isStarting = true;
        long sequence = communicator.beginCollective();
        isStarting = false;
        return sequence;
    }

    /** Goes on with the operation that {@link #isOverAtOnce} has begun and not ended. */
    private HostRun startEarly(ScheduleRun.Listener listener) {
        ShortRun run = early;
        early = null;
        run.listener = listener;
        begun.add(run);
        window.open(run);
        try {
            run.goOn();
        } catch (RuntimeException | Error e) {
            leaveInTheMiddle(run, e);
        }
        if (!run.isOver()) {
            all.activate(this);
        }
        if (isActive) {
            all.settle(this);
        }
        return run;
    }

    /**
     * Begins the operation of the next call, goes on with it if {@link #isOverAtOnce} has begun it, puts it off, or
     * ends it with an error that is known already.
     *
     * @param byMessages for a call with the way {@link Way#PUT_OFF}: the form in which the operation would go by
     *     messages; may be null for another call
     * @param mismatch the error of the call if other ranks are known to be in another one; else null
     * @param listener is told of the end, perhaps before this method returns
     */
    HostRun start(
            HostArguments arguments, CollectiveSchedule byMessages, CallError mismatch, ScheduleRun.Listener listener) {
        if (early != null && early.arguments == arguments) {
            return startEarly(listener);
        }
        HostRun run = takeRun();
        run.set(arguments, calls, takeNumber(), listener);
        calls++;
        run.byMessages = byMessages;
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            run.fail(verdict, null);
        } else if (mismatch != null) {
            run.fail(ErrorClass.TRUNCATE, mismatch);
        } else {
            all.activate(this);
            if (window == null || !putOff.isEmpty() || !mayBegin(run)) {
                putOff.addLast(run);
            } else {
                begin(run);
            }
            all.settle(this);
        }
        return run;
    }

    private HostRun takeRun() {
        if (isLong) {
            return new LongRun(this);
        }
        return idle.isEmpty() ? new ShortRun(this) : idle.remove(idle.size() - 1);
    }

    /**
     * Takes back the object of an operation that has its normal result: nothing at this rank looks at that object any
     * more.
     */
    void giveBack(HostRun run) {
        if (!isLong && idle.size() < SHORT_PLACES) {
            idle.add(run);
        }
    }

    /** Whether the slot of an operation, which is the next to begin, is free at all ranks. */
    private boolean mayBegin(HostRun run) {
        run.window = window;
        run.number = run.count - inForceAt + 1;
        if (!window.mayBegin(run.number)) {
            window.await(run.number);
            return false;
        }
        window.await(0);
        return true;
    }

    /** Whether an operation that was put off is the next to begin, and its slot is free by now. */
    boolean mayBeginNow(HostRun run) {
        return window != null && putOff.peekFirst() == run && mayBegin(run);
    }

    private void begin(HostRun run) {
        run.isPutOff = false;
        if (run.byMessages != null) {
            run.byMessages.discard();
            run.byMessages = null;
        }
        begun.add(run);
        window.begin(run);
        window.open(run);
        try {
            run.begin();
        } catch (RuntimeException | Error e) {
            leaveInTheMiddle(run, e);
        }
    }

    /** Begins the operations that were put off and whose slots are free. Returns how many. */
    private int beginNext() {
        int count = 0;
        while (window != null && !putOff.isEmpty()) {
            HostRun run = putOff.peekFirst();
            if (!mayBegin(run)) {
                return count;
            }
            putOff.removeFirst();
            begin(run);
            count++;
        }
        return count;
    }

    /**
     * Lets each operation of the queue go on, by one wave at most, if the flags of the other ranks allow it, and begins
     * those that were put off and whose slots are free. Returns how many operations went on, ended or began.
     */
    int look() {
        int work = 0;
        for (int i = 0; i < begun.size(); ) {
            HostRun run = begun.get(i);
            if (look(run)) {
                work++;
            }
            if (i < begun.size() && begun.get(i) == run) {
                i++;
            }
        }
        if (!putOff.isEmpty()) {
            work += beginNext();
        }
        if (work == 0 && ++looksInVain % LOOKS_A_CHECK == 0) {
            checkOthers();
        }
        return work;
    }

    private boolean look(HostRun run) {
        try {
            return run.look();
        } catch (RuntimeException | Error e) {
            leaveInTheMiddle(run, e);
            return false;
        }
    }

    /**
     * Lets one operation go on, or begin if it was put off, and begins those whose slots are free.
     *
     * @param isAwaited whether the thread that waits for the operation had to look more than once
     */
    void goOn(HostRun run, boolean isAwaited) {
        if (isAwaited) {
            firstLooks.onSoon();
        }
        if (!run.isPutOff) {
            look(run);
        }
        if (!putOff.isEmpty()) {
            beginNext();
        }
        all.settle(this);
    }

    /**
     * Looks whether a rank that an operation waits for, or any other rank if an operation was put off, is in another
     * call, and ends all operations of the queue if so.
     */
    private void checkOthers() {
        for (int i = 0; i < begun.size(); i++) {
            if (begun.get(i).isAwaitingAnother()) {
                return;
            }
        }
        if (window != null && !putOff.isEmpty()) {
            putOff.peekFirst().isAnyElsewhere();
        }
    }

    /**
     * Ends an operation by an error of this rank alone, and revokes the communicator: the other members would wait for
     * this rank.
     */
    void leaveInTheMiddle(HostRun run, Throwable thrown) {
        remove(run);
        run.fail(ErrorClass.OTHER, thrown);
        all.setup.byMessages.leaveInTheMiddle(communicator);
    }

    /**
     * Adds the ranks for which an operation that was put off waits: those that the setup under way waits for, or that
     * may still use its slot.
     */
    void addMissing(HostRun run, List<Integer> ranks) {
        if (window != null) {
            window.addUsers(run.count - inForceAt + 1, ranks);
        } else if (setup != null) {
            ranks.addAll(setup.awaitedRanks());
        }
    }

    boolean isLong() {
        return isLong;
    }

    boolean isIdle() {
        return begun.isEmpty() && putOff.isEmpty();
    }

    /** Whether the operations under way are worth waking a rank that computes. */
    private boolean isUrgent() {
        return !isIdle() && (isLong || !putOff.isEmpty() || begun.size() > SHORT_PLACES / 2);
    }

    /**
     * Sets whether the other ranks are to wake this rank, when it sleeps, for this queue.
     *
     * @param isAwaited whether a thread of this rank waits for requests
     */
    void beToBeRung(boolean isAwaited) {
        if (window == null) {
            return;
        }
        boolean isUrgent = isUrgent();
        boolean isSleepToBegin = isUrgent && !window.isToBeRung();
        window.beToBeRung(isAwaited && !isIdle() || isUrgent);
        if (isSleepToBegin) {
            all.setup.progress.onUrgent();
        }
    }

    void remove(HostRun run) {
        begun.remove(run);
    }

    void addStep(LongRun run) {
        all.runs.steps().add(run);
    }

    void removeStep(LongRun run) {
        all.runs.steps().remove(run);
    }

    /**
     * The view of the window that an operation works with. Each long operation has its own, since they run side by
     * side.
     */
    HostWindow.View view(HostRun run) {
        return views[isLong ? window.slot(run.number) : 0];
    }

    VectorFold fold(HostRun run) {
        int at = isLong ? window.slot(run.number) : 0;
        if (folds[at] == null) {
            folds[at] = new VectorFold(window.size());
        }
        return folds[at];
    }

    /** Whether an operation that begins is to try to read lent memory; the same at all members. */
    boolean isLendingWorthIt(LongRun run) {
        return lentTries.isWorthIt(run.number, window.slot(run.number));
    }

    /** Notes that an operation has tried to read lent memory, and whether all ranks could read there. */
    void onLent(LongRun run, boolean isRead) {
        lentTries.end(window.slot(run.number), isRead);
    }

    // Calls that are none of this queue.

    /**
     * Shows the other ranks how many calls of collectives the communicator has had, with the last one; does nothing if
     * that is a call of this queue, or if there is no window.
     */
    void onCall(long all) {
        if (window != null && !isClosed && !isStarting) {
            window.showCalls(all, calls);
        }
    }

    /**
     * Returns what is wrong if another rank shows an operation of this queue, while this rank is about to make, with
     * this number, a call that is not of this queue; else null.
     */
    String difference(long sequence) {
        if (window == null || isClosed) {
            return null;
        }
        // This rank shows its call before it looks at the other ranks: so of two ranks that begin at one time at least
        // one sees the other.
        onCall(sequence + 1);
        return window.ahead(Math.max(1, calls - inForceAt + 1), sequence);
    }

    // Setup.

    /** All members have opened all segments. */
    void onShared(Segment[] segments) {
        setup = null;
        window = new HostWindow(
                all.setup.memory, HostSetup.processes(communicator), communicator.rank(), segments, places());
        window.unlink();
        window.showCalls(communicator.collectiveSequence(), calls);
        views = new HostWindow.View[isLong ? places() : 1];
        for (int i = 0; i < views.length; i++) {
            views[i] = window.newView();
        }
        folds = new VectorFold[views.length];
        lentTries = new LentTries(places());
        all.sleep.add(window);
        beginNext();
        all.settle(this);
    }

    /**
     * Notes that a setup has failed and the members share nothing: the calls until the next setup go by messages.
     *
     * @param isForEver whether no later setup can succeed
     */
    void onVain(boolean isForEver) {
        setup = null;
        setupAt = isForEver ? NEVER - lead : inForceAt + ((long) FIRST_PAUSE << Math.min(setups - 1, MOST_DOUBLINGS));
        inForceAt = NEVER;
        if (calls > setupAt) {
            // This rank has made more calls meanwhile, and may make no other call that begins the next setup.
            beginSetupLate();
        }
        while (!putOff.isEmpty() && way(putOff.peekFirst().count) == Way.MESSAGES) {
            HostRun run = putOff.removeFirst();
            run.asMessages = all.runs.beginNumbered(
                    communicator, run.byMessages, run.arguments.name(), run.sequence, run.listener);
        }
        all.settle(this);
    }

    // The end.

    /**
     * Ends all operations of the queue, because a rank is in another call, which is an error of the program. No
     * operation of the queue can have its result any more, and which way a later call goes could differ between ranks:
     * so the communicator is revoked.
     */
    void spoil(String difference) {
        for (HostRun run : takeAll()) {
            run.fail(ErrorClass.TRUNCATE, all.setup.errors.mismatch(communicator, run.arguments.name(), difference));
        }
        all.setup.byMessages.leaveInTheMiddle(communicator);
    }

    /**
     * Ends all operations of the queue, because a member failed or the communicator was revoked: nothing in the
     * segments is read any more.
     */
    void onVerdict() {
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        for (HostRun run : takeAll()) {
            run.fail(verdict, null);
        }
        close();
    }

    private List<HostRun> takeAll() {
        List<HostRun> runs = new ArrayList<>(begun);
        runs.addAll(putOff);
        begun.clear();
        putOff.clear();
        return runs;
    }

    /** Gives the segments up: the queue has no operations any more. */
    void close() {
        isClosed = true;
        if (window != null) {
            all.sleep.remove(window);
            window.discard();
            // The communicator may exist for the rest of the job, and is not to keep memory that it does not use.
            window = null;
            views = null;
            folds = null;
            early = null;
            idle.clear();
        }
        all.settle(this);
    }
}
