package examples.soak;

import mpi.MPI;
import mpi.Status;

/** The steps that send and receive by blocking calls. A message that is sent in a step is received in the same step. */
final class MessageSteps {
    private static final int KINDS = 7;
    private static final int MOST_IN_A_ROW = 4;
    private static final int FLOOD = 40;

    private final RankStatus status;
    private final OpenInboxes inboxes;

    MessageSteps(RankStatus status, OpenInboxes inboxes) {
        this.status = status;
        this.inboxes = inboxes;
    }

    void run(Scope scope, Step step) {
        switch (step.draw(KINDS)) {
            case 0 -> ring(scope, step);
            case 1 -> replace(scope, step);
            case 2 -> pairs(scope, step);
            case 3, 4 -> fanIn(scope, step);
            case 5 -> fanInOfAnyTag(scope, step);
            default -> flood(scope, step);
        }
    }

    /**
     * Each member sends to the member at a drawn distance to the right, and receives from the one at that distance to
     * the left. If the distance is the whole ring it sends to itself.
     */
    private void ring(Scope scope, Step step) {
        int distance = 1 + step.draw(scope.size);
        Message out = Message.of(scope, step, 0, scope.rank, scope.right(distance));
        exchange(out, Message.of(scope, step, 0, scope.left(distance), scope.rank));
    }

    /** Sends one message and receives another, in one call. */
    void exchange(Message out, Message in) {
        Inbox inbox = inboxFor(in);
        byte[] data = out.bytes();
        status.enter(SoakCall.SEND_RECV);
        Status received = out.scope()
                .comm
                .sendRecv(
                        data,
                        out.length(),
                        MPI.BYTE,
                        out.to(),
                        out.tag(),
                        inbox.buffer(),
                        inbox.capacity(),
                        MPI.BYTE,
                        in.from(),
                        in.tag());
        status.leave();
        inboxes.remove(inbox);
        inbox.check(in, received, status);
    }

    /** Sends to the right and receives from the left, with one buffer for both. */
    private void replace(Scope scope, Step step) {
        Message shared = Message.of(scope, step, 0, 0, 0);
        Message out = Message.of(scope, step, 1, scope.rank, scope.right(1)).ofLength(shared.length());
        Message in = Message.of(scope, step, 1, scope.left(1), scope.rank).ofLength(shared.length());
        byte[] data = out.bytes();
        status.enter(SoakCall.SEND_RECV_REPLACE);
        scope.comm.sendRecvReplace(data, data.length, MPI.BYTE, out.to(), out.tag(), in.from(), in.tag());
        status.leave();
        int wrong = Pattern.mismatch(data, 0, data.length, in.key());
        if (wrong >= 0) {
            throw new WrongValueException("byte " + wrong + " or one soon after it is wrong in the " + in);
        }
        status.checked(1, data.length);
    }

    /** Pairs of neighbours exchange a few messages, first in one direction and then in the other. */
    private void pairs(Scope scope, Step step) {
        int count = 1 + step.draw(MOST_IN_A_ROW);
        boolean isSynchronous = step.drawBoolean();
        boolean anyTag = step.drawBoolean();
        int partner = scope.rank ^ 1;
        if (partner >= scope.size) {
            return;
        }
        for (int turn = 0; turn < 2; turn++) {
            for (int number = 0; number < count; number++) {
                if (turn == (scope.rank & 1)) {
                    send(Message.of(scope, step, number, scope.rank, partner), isSynchronous);
                } else {
                    receive(Message.of(scope, step, number, partner, scope.rank), anyTag);
                }
            }
        }
    }

    /** One member receives from all others, in the order in which the messages come. */
    private void fanIn(Scope scope, Step step) {
        int root = step.draw(scope.size);
        int count = 1 + step.draw(MOST_IN_A_ROW);
        boolean isSynchronous = step.draw(4) == 0;
        boolean doProbe = step.drawBoolean();
        if (scope.rank == root) {
            takeFromAll(scope, step, count, step.tag(), doProbe);
        } else {
            for (int number = 0; number < count; number++) {
                send(Message.of(scope, step, number, scope.rank, root), isSynchronous);
            }
        }
    }

    /**
     * As {@link #fanIn}, but with one message per sender, which is sent by {@code send}, and the receive or the probe
     * is for any tag. The barrier keeps members from sending messages of the next step before the last one of this step
     * has been received.
     */
    private void fanInOfAnyTag(Scope scope, Step step) {
        int root = step.draw(scope.size);
        if (scope.rank == root) {
            takeFromAll(scope, step, 1, MPI.ANY_TAG, step.drawBoolean());
        } else {
            send(Message.of(scope, step, 0, scope.rank, root), false);
        }
        status.enter(SoakCall.BARRIER);
        scope.comm.barrier();
        status.leave();
    }

    private void takeFromAll(Scope scope, Step step, int count, int tag, boolean doProbe) {
        int[] taken = new int[scope.size];
        for (int left = count * (scope.size - 1); left > 0; left--) {
            Inbox inbox;
            Status received;
            if (doProbe) {
                status.enter(SoakCall.PROBE);
                Status found = scope.comm.probe(MPI.ANY_SOURCE, tag);
                status.leave();
                inbox = newInbox(found.getCount(MPI.BYTE), step.key(scope, left) < 0);
                status.enter(SoakCall.RECV);
                received =
                        scope.comm.recv(inbox.buffer(), inbox.capacity(), MPI.BYTE, found.getSource(), found.getTag());
            } else {
                inbox = newInbox(Message.LONGEST, step.key(scope, left) < 0);
                status.enter(SoakCall.RECV_ANY_SOURCE);
                received = scope.comm.recv(inbox.buffer(), inbox.capacity(), MPI.BYTE, MPI.ANY_SOURCE, tag);
            }
            status.leave();
            inboxes.remove(inbox);
            int source = received.getSource();
            if (source == scope.rank || taken[source] == count) {
                throw new WrongValueException(
                        "a message from rank " + source + " in " + step + " on " + scope + ", which sends no more");
            }
            inbox.check(Message.of(scope, step, taken[source], source, scope.rank), received, status);
            taken[source]++;
        }
    }

    /**
     * Sends many short messages to the right before it receives the first one from the left. The messages are received
     * from the last to the first.
     */
    private void flood(Scope scope, Step step) {
        for (int number = 0; number < FLOOD; number++) {
            Message out = Message.ofShort(scope, step, number, scope.rank, scope.right(1));
            send(out.ofTag(number), false);
        }
        for (int number = FLOOD - 1; number >= 0; number--) {
            Message in = Message.ofShort(scope, step, number, scope.left(1), scope.rank);
            receive(in.ofTag(number), false);
        }
    }

    private void send(Message message, boolean isSynchronous) {
        byte[] data = message.bytes();
        if (isSynchronous) {
            status.enter(SoakCall.S_SEND);
            message.scope().comm.sSend(data, data.length, MPI.BYTE, message.to(), message.tag());
        } else {
            status.enter(SoakCall.SEND);
            message.scope().comm.send(data, data.length, MPI.BYTE, message.to(), message.tag());
        }
        status.leave();
    }

    private void receive(Message message, boolean anyTag) {
        Inbox inbox = inboxFor(message);
        int tag = anyTag ? MPI.ANY_TAG : message.tag();
        status.enter(SoakCall.RECV);
        Status received = message.scope().comm.recv(inbox.buffer(), inbox.capacity(), MPI.BYTE, message.from(), tag);
        status.leave();
        inboxes.remove(inbox);
        inbox.check(message, received, status);
    }

    private Inbox inboxFor(Message message) {
        return newInbox(message.length(), message.key() < 0);
    }

    private Inbox newInbox(int length, boolean isDirect) {
        Inbox inbox = Inbox.of(length, isDirect);
        inboxes.add(inbox);
        return inbox;
    }
}
