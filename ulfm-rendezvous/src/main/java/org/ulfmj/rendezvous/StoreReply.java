package org.ulfmj.rendezvous;

/**
 * The store's answer to one request, once the answer is there. Completed by the thread that polls the connection. Its
 * fields may be read by any thread that saw {@link #isDone}.
 */
public final class StoreReply {
    private byte[] value;
    private String refusal;
    private volatile boolean done;

    StoreReply() {}

    void complete(byte[] answeredValue, String answeredRefusal) {
        value = answeredValue;
        refusal = answeredRefusal;
        done = true;
    }

    public boolean isDone() {
        return done;
    }

    /** The value that a get found; null for a put. Throws if the answer is not there yet. */
    public byte[] value() {
        requireDone();
        return value;
    }

    /** Why a put was not stored; empty if it was. Throws if the answer is not there yet. */
    public String refusal() {
        requireDone();
        return refusal;
    }

    private void requireDone() {
        if (!done) {
            throw new IllegalStateException("the store has not answered yet");
        }
    }
}
