package mpi;

import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.Communicator;

/** A communicator that a non-blocking call makes, with the request of that call. Thread-safe. */
final class Making {
    private final CommState parent;
    private final CollectiveCall call;
    private final Request request;
    private CommState state;

    /** @param comm the communicator that the call was made on */
    Making(Comm comm, CommState parent, CollectiveCall call) {
        this.parent = parent;
        this.call = call;
        this.request = new Request(comm, parent, call);
    }

    Request request() {
        return request;
    }

    /** The communicator; null until the call has made it. */
    synchronized CommState state() {
        Communicator made = call.made();
        if (state == null && made != null) {
            state = parent.child(made);
        }
        return state;
    }
}
