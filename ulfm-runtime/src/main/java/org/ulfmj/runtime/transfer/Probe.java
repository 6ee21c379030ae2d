package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A probe: a call that looks for a message without receiving it. */
public final class Probe implements NamedWait {
    private final Traffic traffic;
    private final CallErrors errors;
    private MessageContext communicator;
    private int source;
    private int tag;
    private Peer peer;

    /** To be set. */
    public Probe(Traffic traffic, CallErrors errors) {
        this.traffic = traffic;
        this.errors = errors;
    }

    /** Sets this object to look for a message. One object serves one call after the other, never two at a time. */
    public Probe set(MessageContext newCommunicator, int newSource, int newTag) {
        communicator = newCommunicator;
        source = newSource;
        tag = newTag;
        peer = newSource == MessageKey.ANY_SOURCE ? null : traffic.peers().of(newCommunicator, newSource);
        if (peer != null && !peer.isSelf) {
            traffic.fabric().attend(peer.id);
        }
        return this;
    }

    /** Whether there is a matching message, or an error that ends the wait for one. */
    @Override
    public boolean isDone() {
        return message() != null || verdict() != ErrorClass.SUCCESS;
    }

    /**
     * Returns the message that was found; null if there is none yet. A message that arrived whole is found even if its
     * sender has failed since. If there is no message and an error ends the wait for one, throws that error.
     */
    public UnexpectedMessage result() {
        UnexpectedMessage message = message();
        if (message != null || verdict() == ErrorClass.SUCCESS) {
            return message;
        }
        throw fault();
    }

    private CallError fault() {
        ErrorClass verdict = verdict();
        if (verdict == ErrorClass.REVOKED) {
            return errors.revoked(communicator, toString());
        }
        if (peer == null) {
            return errors.heldUp(communicator, toString(), ErrorClass.PROC_FAILED);
        }
        return errors.ofNamed(communicator, toString(), source);
    }

    /**
     * Takes the message that was found out of the queue, for one receive that will name it; null if there is none yet.
     * If there is no message and an error ends the wait for one, throws that error.
     */
    public UnexpectedMessage claim() {
        UnexpectedMessage claimed = traffic.matching().claim(communicator, source, tag);
        if (claimed == null && verdict() != ErrorClass.SUCCESS) {
            throw fault();
        }
        return claimed;
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.message(communicator, "probe", tag == MessageKey.ANY_TAG ? "any tag" : "tag " + tag, source);
    }

    private UnexpectedMessage message() {
        return traffic.matching().peek(communicator, source, tag);
    }

    private ErrorClass verdict() {
        return ErrorRules.of(communicator, false, source, peer);
    }

    @Override
    public String toString() {
        return "probe of " + (peer == null ? "any source" : "rank " + communicator.peerRankOf(source))
                + (tag == MessageKey.ANY_TAG ? ", any tag" : ", tag " + tag);
    }
}
