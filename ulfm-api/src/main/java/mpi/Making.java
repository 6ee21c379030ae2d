package mpi;

import org.ulfmj.runtime.CollectiveCall;
import org.ulfmj.runtime.Communicator;

/** A communicator that a non-blocking call makes, with the request of that call. Thread-safe. */
final class Making {
    private final CommState parent;
    private final Topology topology;
    private final CollectiveCall call;
    private final Request request;
    private CommState state;

    /**
     * @param comm the communicator that the call was made on
     * @param topology of the new communicator; null if it has none
     */
    Making(Comm comm, CommState parent, Topology topology, CollectiveCall call) {
        this.parent = parent;
        this.topology = topology;
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
            state = parent.child(made, topology);
        }
        return state;
    }
}
