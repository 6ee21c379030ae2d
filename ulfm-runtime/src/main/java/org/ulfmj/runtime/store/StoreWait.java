package org.ulfmj.runtime.store;

import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * A rank's wait for an answer of the store, or for room to send a request. Either wait ends when its time limit has
 * passed.
 */
public final class StoreWait implements NamedWait {
    private final StoreLine line;
    private final StoreRequest request;
    private final StoreReply reply;
    private final Clock clock;
    private final long untilNs;

    /**
     * @param request names the wait in reports
     * @param reply the answer to wait for; null to wait for room to send a request
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
