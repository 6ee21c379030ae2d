package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/** Starts sends and receives, and keeps the objects of those that have ended for reuse. Under the engine lock. */
public final class Transfers {
    /** Objects of operations that have ended, for reuse: a stack of bounded size. */
    private static final class Idle<T extends Operation> {
        /** The largest number of objects that are kept. */
        private static final int KEPT = 1024;

        private Operation first;
        private int count;

        /** Removes and returns the object that was added last; null if there is none. */
        @SuppressWarnings("unchecked") // Only such objects are added.
        T take() {
            Operation taken = first;
            if (taken == null) {
                return null;
            }
            first = taken.nextIdle;
            taken.nextIdle = null; // it would keep alive what the stack has no room for
            count--;
            taken.isIdle = false;
            return (T) taken;
        }

        /** Keeps an object, unless there are enough. */
        void add(T operation) {
            operation.isIdle = true;
            if (count < KEPT) {
                operation.nextIdle = first;
                first = operation;
                count++;
            }
        }
    }

    private final Peers peers;
    private final Outbound outbound;
    private final Matching matching;
    private final Idle<SendOperation> idleSends = new Idle<>();
    private final Idle<ReceiveOperation> idleReceives = new Idle<>();

    Transfers(Peers peers, Outbound outbound, Matching matching) {
        this.peers = peers;
        this.outbound = outbound;
        this.matching = matching;
    }

    /**
     * Whether a message of this length may be only announced, so that the receiver reads it later from the program's
     * memory.
     */
    public static boolean mayBeOffered(long lengthBytes) {
        return lengthBytes >= Outbound.SMALLEST_LENT_BYTES;
    }

    /** A send of the program. */
    public SendOperation send(MessageContext communicator, Payload payload, int dest, int tag, SendMode mode) {
        SendOperation send = takeSend();
        send.begin(communicator, MessageKey.POINT_TO_POINT, tag, null);
        send.synchronous = mode == SendMode.SYNCHRONOUS;
        send.payload = payload;
        return start(send, dest);
    }

    /** Starts a send of a collective operation. */
    public Operation send(Operation.Owner run, int tag, int dest, ByteBuffer data, int offset, int lengthBytes) {
        SendOperation send = takeSend();
        send.begin(run.communicator(), MessageKey.COLLECTIVE, tag, run);
        send.synchronous = false;
        send.payload = send.view.of(data, offset, lengthBytes);
        return start(send, dest);
    }

    /**
     * Tells a partner which collective operation this rank is in, by a message without content that needs no credit.
     */
    public Operation sendDescription(Operation.Owner run, int tag, int dest, long description) {
        SendOperation send = takeSend();
        send.begin(run.communicator(), MessageKey.DESCRIPTION, tag, run);
        send.synchronous = false;
        send.payload = BufferPayload.EMPTY;
        send.description = description;
        return start(send, dest);
    }

    /** Returns the operation, already done, of a send whose message was sent by the short path. */
    SendOperation sent(MessageContext communicator, Peer peer, int dest, int tag) {
        SendOperation send = takeSend();
        send.begin(communicator, MessageKey.POINT_TO_POINT, tag, null);
        send.synchronous = false;
        send.setPeer(peer);
        send.dest = dest;
        send.finish(ErrorClass.SUCCESS);
        return send;
    }

    private SendOperation start(SendOperation send, int dest) {
        send.dest = dest;
        send.setPeer(send.communicator.peer(peers, dest));
        ErrorClass verdict = ErrorRules.of(send);
        if (verdict == ErrorClass.SUCCESS) {
            outbound.submit(send);
        } else {
            send.source = verdict == ErrorClass.PROC_FAILED ? dest : MessageKey.ANY_SOURCE;
            send.finish(verdict);
        }
        return send;
    }

    /** A receive of the program. */
    public Operation receive(MessageContext communicator, Payload payload, int source, int tag) {
        ReceiveOperation receive = takeReceive();
        receive.begin(communicator, MessageKey.POINT_TO_POINT, tag, null);
        receive.payload = payload;
        return start(receive, source, tag);
    }

    /** Starts a receive as {@link #receive} does, into memory whose payload object its maker will reuse. */
    public Operation receivePassing(MessageContext communicator, PassingPayload passing, int source, int tag) {
        ReceiveOperation receive = takeReceive();
        receive.begin(communicator, MessageKey.POINT_TO_POINT, tag, null);
        receive.keep(passing);
        return start(receive, source, tag);
    }

    /** Starts a receive of a message that a matched probe has taken. */
    public Operation receive(MessageContext communicator, UnexpectedMessage message, Payload payload) {
        ReceiveOperation receive = takeReceive();
        receive.begin(communicator, MessageKey.POINT_TO_POINT, message.tag, null);
        receive.payload = payload;
        receive.wantedSource = message.source;
        receive.wantedTag = message.tag;
        receive.handshakeId = 0;
        receive.setPeer(communicator.peer(peers, message.source));
        matching.receive(receive, message);
        return receive;
    }

    /** Starts a receive of a collective operation. */
    public Operation receive(Operation.Owner run, int tag, int source, ByteBuffer data, int offset, int lengthBytes) {
        ReceiveOperation receive = takeReceive();
        receive.begin(run.communicator(), MessageKey.COLLECTIVE, tag, run);
        receive.payload = receive.view.of(data, offset, lengthBytes);
        return start(receive, source, tag);
    }

    private ReceiveOperation start(ReceiveOperation receive, int source, int tag) {
        receive.wantedSource = source;
        receive.wantedTag = tag;
        receive.handshakeId = 0;
        receive.setPeer(source == MessageKey.ANY_SOURCE ? null : receive.communicator.peer(peers, source));
        matching.receive(receive);
        return receive;
    }

    /**
     * Cancels a receive that has not matched, or a send of which nothing has left. Returns false if it was too late.
     */
    public boolean cancel(Operation operation) {
        boolean inTime = operation instanceof ReceiveOperation receive
                ? receive.posted.isQueued()
                : operation instanceof SendOperation send && send.phase == SendOperation.Phase.QUEUED;
        if (operation.done || !inTime) {
            return false;
        }
        operation.cancelled = true;
        operation.detach();
        operation.finish(ErrorClass.SUCCESS);
        return true;
    }

    /**
     * Keeps the object of an ended operation for reuse, unless enough are kept; no call will look at the operation
     * again. An operation that failed or was cancelled may still be in a queue, so its object is not reused.
     */
    public void release(Operation operation) {
        if (!operation.done || operation.isIdle) {
            throw new IllegalStateException(
                    operation + (operation.isIdle ? " is released twice" : " is released before it is done"));
        }
        if (operation.error != ErrorClass.SUCCESS || operation.cancelled) {
            return;
        }
        operation.run = null;
        if (operation instanceof SendOperation send) {
            send.view.clear();
            send.letGoOfPayload();
            idleSends.add(send);
        } else if (operation instanceof ReceiveOperation receive) {
            receive.view.clear();
            receive.letGoOfPayload();
            idleReceives.add(receive);
        } else {
            operation.onReleased();
        }
    }

    private SendOperation takeSend() {
        SendOperation send = idleSends.take();
        return send == null ? new SendOperation(outbound) : send;
    }

    private ReceiveOperation takeReceive() {
        ReceiveOperation receive = idleReceives.take();
        return receive == null ? new ReceiveOperation(matching) : receive;
    }
}
