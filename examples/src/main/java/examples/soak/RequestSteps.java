package examples.soak;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * The steps that start sends and receives, and complete all of one step by one of six calls: wait, waitAll, waitAny,
 * waitSome, testAll, testAny.
 */
final class RequestSteps {
    private static final int MOST_EACH = 3;

    private final RankStatus status;
    private final OpenInboxes inboxes;
    private final List<Flight> flights = new ArrayList<>();

    /**
     * A request that was started, with its message (null for a receive from any source), for a receive with the inbox,
     * and with the status that {@link RequestSteps#complete} got for it; null before.
     */
    private static final class Flight {
        final Request request;
        final Message message;
        final Inbox inbox;
        Status arrived;

        Flight(Request request, Message message, Inbox inbox) {
            this.request = request;
            this.message = message;
            this.inbox = inbox;
        }
    }

    RequestSteps(RankStatus status, OpenInboxes inboxes) {
        this.status = status;
        this.inboxes = inboxes;
    }

    void run(Scope scope, Step step) {
        switch (step.draw(4)) {
            case 0 -> fanIn(scope, step);
            case 1 -> withdraw(scope, step);
            default -> everyoneToEveryone(scope, step);
        }
    }

    /** Waits for all open requests of this rank after a revocation: each must end, whether or not its peer lives. */
    void endAll() {
        for (Flight flight : flights) {
            try {
                status.enter(SoakCall.WAIT);
                flight.request.waitFor();
            } catch (MPIException e) {
                if (!SoakProgram.isFailure(e)) {
                    throw e;
                }
            }
            status.leave();
            if (!flight.request.isNull()) {
                throw new WrongValueException(
                        "the request of a " + flight.message + " is not over although its communicator is revoked");
            }
        }
        flights.clear();
    }

    private void everyoneToEveryone(Scope scope, Step step) {
        int each = 1 + step.draw(MOST_EACH);
        boolean sendFirst = step.drawBoolean();
        boolean isSynchronous = step.draw(3) == 0;
        int completion = step.draw(6);
        for (int turn = 0; turn < 2; turn++) {
            for (int number = 0; number < each; number++) {
                for (int distance = 0; distance < scope.size; distance++) {
                    if (sendFirst == (turn == 0)) {
                        send(Message.of(scope, step, number, scope.rank, scope.right(distance)), isSynchronous);
                    } else {
                        receive(Message.of(scope, step, number, scope.left(distance), scope.rank));
                    }
                }
            }
        }
        complete(completion);
        for (Flight flight : flights) {
            if (flight.inbox != null) {
                check(flight, flight.message);
            }
        }
        flights.clear();
    }

    /**
     * All other members send to one member, which starts receives from any source. The messages of each sender must
     * arrive in the order in which they were sent and the receives were started.
     */
    private void fanIn(Scope scope, Step step) {
        int root = step.draw(scope.size);
        int each = 1 + step.draw(MOST_EACH);
        int completion = step.draw(6);
        if (scope.rank == root) {
            for (int left = each * (scope.size - 1); left > 0; left--) {
                Inbox inbox = newInbox(Message.LONGEST, step.key(scope, left) < 0);
                status.enter(SoakCall.I_RECV);
                Request request =
                        scope.comm.iRecv(inbox.byteBuffer(), inbox.capacity(), MPI.BYTE, MPI.ANY_SOURCE, step.tag());
                status.leave();
                flights.add(new Flight(request, null, inbox));
            }
        } else {
            for (int number = 0; number < each; number++) {
                send(Message.of(scope, step, number, scope.rank, root), false);
            }
        }
        complete(completion);
        int[] taken = new int[scope.size];
        for (Flight flight : flights) {
            if (flight.inbox != null) {
                int source = flight.arrived.getSource();
                check(flight, Message.of(scope, step, taken[source], source, scope.rank));
                taken[source]++;
            }
        }
        flights.clear();
    }

    /** Starts a receive that no rank sends to, and cancels it. The receive must end as cancelled. */
    private void withdraw(Scope scope, Step step) {
        Inbox inbox = newInbox(1, step.drawBoolean());
        status.enter(SoakCall.I_RECV);
        Request request =
                scope.comm.iRecv(inbox.byteBuffer(), inbox.capacity(), MPI.BYTE, MPI.ANY_SOURCE, step.tag() + 1);
        status.leave();
        Flight flight = new Flight(request, null, inbox);
        flights.add(flight);
        status.enter(SoakCall.CANCEL);
        request.cancel();
        status.leave();
        status.enter(SoakCall.WAIT);
        Status ended = request.waitStatus();
        status.leave();
        if (!ended.isCancelled()) {
            throw new WrongValueException("a receive without a sender was not cancelled in " + step);
        }
        inboxes.remove(inbox);
        flights.clear();
    }

    private void send(Message message, boolean isSynchronous) {
        byte[] bytes = message.bytes();
        ByteBuffer data =
                message.key() < 0 ? ByteBuffer.allocateDirect(bytes.length).put(bytes) : ByteBuffer.wrap(bytes);
        Request request;
        if (isSynchronous) {
            status.enter(SoakCall.IS_SEND);
            request = message.scope().comm.isSend(data, bytes.length, MPI.BYTE, message.to(), message.tag());
        } else {
            status.enter(SoakCall.I_SEND);
            request = message.scope().comm.iSend(data, bytes.length, MPI.BYTE, message.to(), message.tag());
        }
        status.leave();
        flights.add(new Flight(request, message, null));
    }

    private void receive(Message message) {
        Inbox inbox = newInbox(message.length(), message.key() < 0);
        status.enter(SoakCall.I_RECV);
        Request request = message.scope()
                .comm
                .iRecv(inbox.byteBuffer(), inbox.capacity(), MPI.BYTE, message.from(), message.tag());
        status.leave();
        flights.add(new Flight(request, message, inbox));
    }

    private Inbox newInbox(int length, boolean isDirect) {
        Inbox inbox = Inbox.of(length, isDirect);
        inboxes.add(inbox);
        return inbox;
    }

    private void check(Flight flight, Message expected) {
        inboxes.remove(flight.inbox);
        flight.inbox.check(expected, flight.arrived, status);
    }

    /**
     * Completes all requests that are under way.
     *
     * @param how number of the MPI call that completes them, from 0 to 5
     */
    private void complete(int how) {
        Request[] open = flights.stream().map(flight -> flight.request).toArray(Request[]::new);
        if (how == 0) {
            for (Flight flight : flights) {
                status.enter(SoakCall.WAIT);
                flight.arrived = flight.request.waitStatus();
                status.leave();
            }
        } else if (how == 1) {
            status.enter(SoakCall.WAIT_ALL);
            arrived(Request.waitAllStatus(open));
        } else if (how == 2) {
            status.enter(SoakCall.TEST_ALL);
            Status[] all = null;
            while (all == null) {
                all = Request.testAllStatus(open);
            }
            arrived(all);
        } else {
            oneByOne(open, how);
        }
        status.leave();
        for (Flight flight : flights) {
            if (!flight.request.isNull()) {
                throw new WrongValueException("a request is not complete although it was completed");
            }
        }
    }

    private void arrived(Status[] all) {
        for (int i = 0; i < all.length; i++) {
            flights.get(i).arrived = all[i];
        }
    }

    private void oneByOne(Request[] open, int how) {
        status.enter(how == 3 ? SoakCall.WAIT_SOME : how == 4 ? SoakCall.WAIT_ANY : SoakCall.TEST_ANY);
        for (int left = open.length; left > 0; ) {
            Status[] ended;
            if (how == 3) {
                ended = Request.waitSomeStatus(open);
            } else if (how == 4) {
                ended = new Status[] {Request.waitAnyStatus(open)};
            } else {
                Status one = Request.testAnyStatus(open);
                ended = one == null ? new Status[0] : new Status[] {one};
            }
            for (Status one : ended) {
                Flight flight = flights.get(one.getIndex());
                if (flight.arrived != null) {
                    throw new WrongValueException("request " + one.getIndex() + " ended twice");
                }
                flight.arrived = one;
                left--;
            }
        }
    }
}
