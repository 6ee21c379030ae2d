package org.ulfmj.rendezvous.store;

/**
 * The answer to one request, once it is there, or the reason why there will be none. Any thread that saw
 * {@link #isDone} may read it.
 */
public final class StoreReply {
    private final long id;
    private StoreResult result;
    private String unknown;
    private volatile boolean done;

    StoreReply(long id) {
        this.id = id;
    }

    /** The number of the request in its session. */
    public long id() {
        return id;
    }

    void complete(StoreResult answer) {
        result = answer;
        done = true;
    }

    /** S6: completes this reply without an answer. If the request was sent, it may have been carried out. */
    void lose(String why) {
        unknown = why;
        done = true;
    }

    public boolean isDone() {
        return done;
    }

    /** The answer; null if there will be none. Throws while the reply is not done. */
    public StoreResult result() {
        requireDone();
        return result;
    }

    /** Why there will be no answer; null if there is one. Throws while the reply is not done. */
    public String unknownBecause() {
        requireDone();
        return unknown;
    }

    private void requireDone() {
        if (!done) {
            throw new IllegalStateException("the store has not answered request " + id + " yet");
        }
    }
}
