package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Envelope;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A call that looks for a message without taking it. */
public final class Probe implements NamedWait {
    private final Traffic traffic;
    private final CallErrors errors;
    private final MessageContext communicator;
    private final int source;
    private final int tag;
    private final Peer peer;

    public Probe(Traffic traffic, CallErrors errors, MessageContext communicator, int source, int tag) {
        this.traffic = traffic;
        this.errors = errors;
        this.communicator = communicator;
        this.source = source;
        this.tag = tag;
        this.peer = source == MessageKey.ANY_SOURCE ? null : traffic.peers().of(communicator, source);
        if (peer != null && !peer.isSelf) {
            traffic.fabric().attend(peer.id);
        }
    }

    /** Whether there is a message, or a reason not to wait for one. */
    @Override
    public boolean isDone() {
        return message() != null || verdict() != ErrorClass.SUCCESS;
    }

    /**
     * Returns the message that was found, even if its sender has failed since. If there will be none, throws an error
     * that says why.
     */
    public Envelope result() {
        UnexpectedMessage message = message();
        if (message != null) {
            return new Envelope(communicator.peerRankOf(message.source), message.tag, message.lengthBytes);
        }
        ErrorClass verdict = verdict();
        if (verdict == ErrorClass.REVOKED) {
            throw errors.revoked(communicator, toString());
        }
        if (peer == null) {
            throw errors.heldUp(communicator, toString(), ErrorClass.PROC_FAILED);
        }
        throw errors.ofNamed(communicator, toString(), source);
    }

    /**
     * Takes the message that was found, for one receive that will name it; null if there is none yet. If there will be
     * none, throws an error that says why.
     */
    public UnexpectedMessage claim() {
        UnexpectedMessage claimed = traffic.matching().claim(communicator, source, tag);
        if (claimed == null && verdict() != ErrorClass.SUCCESS) {
            result();
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
