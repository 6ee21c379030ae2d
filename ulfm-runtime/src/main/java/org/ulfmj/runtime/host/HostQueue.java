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
 * The non-blocking collectives of one communicator that shared memory may carry: the short ones, or the longer ones.
 * All members count these calls alike, and by that number alone each call goes its way.
 *
 * <p>After some calls the members make segments, by messages, while the program goes on ({@link WindowSetup}). A few
 * calls later what came of that is in force. A call that comes then, at a rank that does not know yet, is put off until
 * it does. A call whose slot is not free is put off as well.
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
    /** How many calls after the one that begins a setup go by messages, before its outcome is in force. */
    private static final int LEAD = 8;
    /** How many calls go by messages after a setup in vain; twice as many each time. */
    private static final int FIRST_PAUSE = 16;

    private static final int MOST_DOUBLINGS = 8;
    private static final int SHORT_PLACES = 16;
    private static final int LONG_PLACES = 2;
    /** How many looks in vain there are for one look whether another rank is in another call. */
    private static final int LOOKS_A_CHECK = 16;

    final HostRuns all;
    final MessageContext communicator;
    private final boolean isLong;
    private final int lead;

    /** How many calls there were. */
    private long calls;
    /** The number of the call that begins the next setup. */
    private long setupAt;
    /** The number of the first call for which the outcome of the last setup is in force. */
    private long inForceAt = NEVER;

    private int setups;
    private WindowSetup setup;
    /** Whether a step that begins the next setup of the window is queued, or runs. */
    private boolean isSetupLate;

    private HostWindow window;
    private HostWindow.View[] views;
    private VectorFold[] folds;
    private LentTries lentTries;

    /** Operations that have not begun. */
    private final ArrayDeque<HostRun> putOff = new ArrayDeque<>();

    private final List<HostRun> begun = new ArrayList<>();
    /** Objects of short operations that are over, to be used again. */
    private final List<HostRun> idle = new ArrayList<>(0);
    /** Whether the call that takes its number is of this queue. */
    private boolean isStarting;
    /** An operation that has begun and that {@link #start} is to go on with; mostly null. */
    private ShortRun early;

    /** Whether {@link HostRuns} knows that this queue has operations. */
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

    /** Makes what this rank offers in the setup that the next call begins. Without the lock. */
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
     * Begins a setup if a call was to.
     *
     * @param offer null if the call did not know: a setup before has ended since it looked. A rank that offered nothing
     *     then would make the next one vain at all members
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
     * Returns whether it is over, with its normal result. Else {@link #start} is to follow.
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

    /** Goes on with the operation that was not over at once. */
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
     * Begins the operation of the next call, or puts it off. The call has the way {@link Way#MEMORY}, or
     * {@link Way#PUT_OFF} and the form that goes by messages.
     *
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

    /** An operation has its normal result, and no part of this rank looks at its object any more. */
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

    /** Begins the operations whose slots are free. Returns how many. */
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

    /** Lets all operations go on as far as the flags of the others allow. Returns how much was done. */
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
     * Lets one operation go on, or begin, and those that wait for a slot.
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

    /** Looks whether a rank that is awaited is in another call, and ends all operations if so. */
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

    /** An operation ends by an error of this rank alone: the others would wait for it. */
    void leaveInTheMiddle(HostRun run, Throwable thrown) {
        remove(run);
        run.fail(ErrorClass.OTHER, thrown);
        all.setup.byMessages.leaveInTheMiddle(communicator);
    }

    /** Adds the ranks for which an operation is put off: that take part in a setup, or that use its slot. */
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

    /** Whether what goes on is worth a wake-up of a rank that computes. */
    private boolean isUrgent() {
        return !isIdle() && (isLong || !putOff.isEmpty() || begun.size() > SHORT_PLACES / 2);
    }

    /** @param isAwaited whether a thread waits for an operation in memory */
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

    /** The buffers that an operation works with. Of long ones each has its own, since they run side by side. */
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

    /** Whether an operation that begins is to be tried by lent memory; the same at all members. */
    boolean isLendingWorthIt(LongRun run) {
        return lentTries.isWorthIt(run.number, window.slot(run.number));
    }

    /** Notes that an operation was tried by lent memory, and whether all ranks could read there. */
    void onLent(LongRun run, boolean isRead) {
        lentTries.end(window.slot(run.number), isRead);
    }

    // Calls that are none of this queue.

    /** Notes that there were so many calls of the communicator, with the last one, which may be of another queue. */
    void onCall(long all) {
        if (window != null && !isClosed && !isStarting) {
            window.showCalls(all, calls);
        }
    }

    /**
     * Returns what is wrong if another rank shows an operation of this queue in place of a call that is about to take
     * this number and goes elsewhere; else null.
     */
    String difference(long sequence) {
        if (window == null || isClosed) {
            return null;
        }
        // Said before the others are looked at: of two ranks that begin at one time at least one sees the other.
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

    /** The members share nothing: the calls until the next setup go by messages. */
    void onVain(boolean isForEver) {
        setup = null;
        setupAt = isForEver ? NEVER - lead : inForceAt + ((long) FIRST_PAUSE << Math.min(setups, MOST_DOUBLINGS));
        inForceAt = NEVER;
        if (calls > setupAt) {
            // This rank has called on meanwhile, and may make no other call that begins the next setup.
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
     * A rank is in another call: the program is wrong. No operation of the queue can have its result any more, and
     * which way a later call goes could differ between ranks: so the communicator is revoked.
     */
    void spoil(String difference) {
        for (HostRun run : takeAll()) {
            run.fail(ErrorClass.TRUNCATE, all.setup.errors.mismatch(communicator, run.arguments.name(), difference));
        }
        all.setup.byMessages.leaveInTheMiddle(communicator);
    }

    /** The communicator failed or was revoked: nothing in the segments is read any more. */
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

    /** Gives the segments up: there are no operations any more. */
    void close() {
        isClosed = true;
        if (window != null) {
            all.sleep.remove(window);
            window.discard();
            // The communicator may stay for the rest of the job, and is not to keep memory that it does not use.
            window = null;
            views = null;
            folds = null;
            early = null;
            idle.clear();
        }
        all.settle(this);
    }
}
