package org.ulfmj.runtime;

import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.KeptCall;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * A call of all members that does not block: {@code iAgree}, {@code iShrink}, {@code iDup}, and the collective
 * operations of {@link StartedCollectives}. The code that began it ends it by {@link #succeed} or {@link #end}, under
 * the engine lock; until then the engine keeps the communicator, even if the program frees it. Neither a failure nor a
 * revocation ends it by itself.
 */
public class CollectiveCall extends Operation {
    private final CommunicatorState state;
    private String call;
    /**
     * An object whose {@code toString} tells how far the call has come, for a report of waits; null if there is nothing
     * to tell.
     */
    private Object progress;

    private final boolean isOfMembers;
    private final boolean isShared;
    private volatile Communicator made;

    /** @param call as the program wrote it */
    CollectiveCall(CommunicatorState communicator, String call) {
        this.call = call;
        this.state = communicator;
        this.isOfMembers = false;
        this.isShared = false;
        begin(communicator, MessageKey.COLLECTIVE, Communicator.ANY_TAG, null);
        communicator.beginCall();
    }

    /**
     * Makes a call of an operation that all members must carry through to its end; {@link #beginOfMembers} begins it.
     */
    CollectiveCall(CommunicatorState communicator) {
        this.state = communicator;
        this.isOfMembers = true;
        this.isShared = false;
    }

    private CollectiveCall(CommunicatorState communicator, ErrorClass result, String call) {
        this.call = call;
        this.state = communicator;
        this.isOfMembers = true;
        this.isShared = true;
        begin(communicator, MessageKey.COLLECTIVE, Communicator.ANY_TAG, null);
        finish(result);
    }

    /**
     * Makes the call of an operation of all members that had ended, without an error, when the method that started it
     * returned.
     */
    static CollectiveCall overAtOnce(CommunicatorState communicator, String call) {
        return new CollectiveCall(communicator, ErrorClass.SUCCESS, call);
    }

    /** @param newCall as the program wrote it */
    final void beginOfMembers(String newCall) {
        call = newCall;
        begin(state, MessageKey.COLLECTIVE, Communicator.ANY_TAG, null);
        state.beginCall();
    }

    /**
     * The communicator that the call made; null before the end of the call, if the call failed, and for calls that make
     * none. Any thread.
     */
    public Communicator made() {
        return made;
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public Object progress() {
        return progress;
    }

    void progress(Object description) {
        progress = description;
    }

    /**
     * Whether the operation needs all members to its end, so that the program may neither cancel nor free the request
     * of the call.
     */
    public boolean isOfMembers() {
        return isOfMembers;
    }

    /** Begins, by messages, the operation of which this call consists; it may have ended on return. */
    void begin(ScheduleRuns runs, CollectiveSchedule schedule, ScheduleRun.Listener listener) {
        follow(runs.begin(state, schedule, call, listener));
    }

    /** As the other {@code begin}, with the objects of {@code kept} instead of new ones. */
    final void begin(KeptCall kept, CollectiveSchedule schedule, ScheduleRun.Listener listener) {
        follow(kept.begin(state, schedule, call, listener));
    }

    private void follow(ScheduleRun begun) {
        if (!isDone()) {
            progress = begun;
        }
    }

    /** @param newCommunicator the communicator that the call made, or null */
    void succeed(Communicator newCommunicator) {
        state.endCall();
        letGo();
        if (newCommunicator != null) {
            made = newCommunicator;
        }
        finish(ErrorClass.SUCCESS);
    }

    void end(CallError reason) {
        state.endCall();
        letGo();
        fail(reason);
    }

    /**
     * Ends the call with an error of this class; the sentences of the error are made when the program is told of it.
     */
    void end(ErrorClass error) {
        state.endCall();
        letGo();
        finish(error);
    }

    /**
     * Lets go of the memory of an operation that {@link #isOfMembers}: the program may keep the request long after the
     * operation has ended.
     */
    private void letGo() {
        if (isOfMembers) {
            progress = null;
        }
    }

    CommunicatorState state() {
        return state;
    }

    @Override
    protected void detach() {}

    @Override
    public Completion settled() {
        return this;
    }

    /** Names this rank itself: the call depends on no other rank in particular. */
    @Override
    public int namedPeer() {
        return state.rank();
    }

    @Override
    public void explain(WaitNotes notes) {
        if (progress instanceof NamedWait known) {
            known.explain(notes);
        } else {
            super.explain(notes);
        }
    }

    @Override
    public String describe() {
        return call;
    }

    @Override
    public String toString() {
        return progress == null ? super.toString() : progress.toString();
    }
}
