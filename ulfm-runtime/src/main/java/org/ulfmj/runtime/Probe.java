package org.ulfmj.runtime;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Envelope;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A call that looks for a message without taking it. */
final class Probe implements NamedWait {
    private final RankEngine engine;
    private final CommunicatorState communicator;
    private final int source;
    private final int tag;
    private final Peer peer;

    Probe(RankEngine engine, CommunicatorState communicator, int source, int tag) {
        this.engine = engine;
        this.communicator = communicator;
        this.source = source;
        this.tag = tag;
        this.peer = source == Communicator.ANY_SOURCE ? null : engine.peers().of(communicator, source);
        if (peer != null && !peer.isSelf) {
            engine.fabric().attend(peer.id);
        }
    }

    /** Whether there is a message, or a reason not to wait for one. */
    @Override
    public boolean isDone() {
        return message() != null || verdict() != ErrorClass.SUCCESS;
    }

    /** The message, also one of a sender that has failed since; or throws why there will be none. */
    Envelope result() {
        UnexpectedMessage message = message();
        if (message != null) {
            return new Envelope(message.source, message.tag, message.lengthBytes);
        }
        ErrorClass verdict = verdict();
        if (verdict == ErrorClass.REVOKED) {
            throw engine.errors().revoked(communicator, toString());
        }
        if (peer == null) {
            throw engine.errors().heldUp(communicator, toString(), ErrorClass.PROC_FAILED);
        }
        throw engine.errors().ofNamed(communicator, toString(), source);
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.message(communicator, "probe", tag == Communicator.ANY_TAG ? "any tag" : "tag " + tag, source);
    }

    private UnexpectedMessage message() {
        return engine.matching().peek(communicator, source, tag);
    }

    private ErrorClass verdict() {
        return ErrorRules.of(communicator, false, source, peer);
    }

    @Override
    public String toString() {
        return "probe of " + (peer == null ? "any source" : "rank " + source)
                + (tag == Communicator.ANY_TAG ? ", any tag" : ", tag " + tag);
    }
}
