package org.ulfmj.runtime.store;

import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A wait for an answer of the store, or for room to ask it, of which either ends when its time is over. */
public final class StoreWait implements NamedWait {
    private final StoreLine line;
    private final StoreRequest request;
    private final StoreReply reply;
    private final Clock clock;
    private final long untilNs;

    /**
     * @param request for reports
     * @param reply null to wait for room
     */
    public StoreWait(StoreLine line, StoreRequest request, StoreReply reply, Clock clock, long untilNs) {
        this.line = line;
        this.request = request;
        this.reply = reply;
        this.clock = clock;
        this.untilNs = untilNs;
    }

    public long untilNs() {
        return untilNs;
    }

    public boolean isAnswered() {
        return reply == null ? line.hasRoom(request) : reply.isDone();
    }

    @Override
    public boolean isDone() {
        return isAnswered() || clock.nowNs() - untilNs >= 0;
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.other("the store of the job to answer " + request);
    }

    @Override
    public String toString() {
        return "answer of the store to " + request;
    }
}
