package org.ulfmj.runtime.inject;

import java.util.List;
import java.util.Locale;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.runtime.options.FaultTrigger;

/** The names of calls that {@code op=} may name, in lower case. */
final class CallNames {
    /** The names of the calls of package mpi, and of the recovery mode, that {@code op=} may name. */
    private static final List<String> ALL = List.of(
            "abort",
            "ackfailed",
            "agree",
            "agreefailed",
            "allgather",
            "allgatherv",
            "allreduce",
            "alltoall",
            "alltoallv",
            "barrier",
            "bcast",
            "broadcast",
            "callerrhandler",
            "cancel",
            "checkpoint",
            "compare",
            "create",
            "createcart",
            "createdistgraph",
            "createdistgraphadjacent",
            "creategraph",
            "creategroup",
            "createintercomm",
            "dup",
            "exscan",
            "failureack",
            "failuregetacked",
            "finalize",
            "free",
            "gather",
            "gatherv",
            "getcoords",
            "getdims",
            "getdistgraphneighbors",
            "geterrhandler",
            "getfailed",
            "getgroup",
            "getname",
            "getneighbors",
            "getrank",
            "getremotegroup",
            "getremotesize",
            "getrequest",
            "getsize",
            "getstatus",
            "gettopo",
            "gettopology",
            "grow",
            "iagree",
            "iallgather",
            "iallgatherv",
            "iallreduce",
            "ialltoall",
            "ialltoallv",
            "ialltoallw",
            "ibarrier",
            "ibcast",
            "idup",
            "iexscan",
            "igather",
            "igatherv",
            "ineighborallgather",
            "ineighborallgatherv",
            "ineighboralltoall",
            "ineighboralltoallv",
            "iprobe",
            "irecv",
            "ireduce",
            "ireducescatter",
            "ireducescatterblock",
            "irsend",
            "iscan",
            "iscatter",
            "iscatterv",
            "isend",
            "ishrink",
            "isinter",
            "isrevoked",
            "issend",
            "lazycheckpoint",
            "loadcheckpoint",
            "map",
            "merge",
            "neighborallgather",
            "neighborallgatherv",
            "neighboralltoall",
            "neighboralltoallv",
            "numwaiting",
            "probe",
            "recv",
            "reduce",
            "reducelocal",
            "reducescatter",
            "reducescatterblock",
            "replace",
            "revoke",
            "rsend",
            "scan",
            "scatter",
            "scatterv",
            "send",
            "sendrecv",
            "sendrecvreplace",
            "seterrhandler",
            "setname",
            "shift",
            "shrink",
            "shutdown",
            "split",
            "ssend",
            "sub",
            "test",
            "testall",
            "testallstatus",
            "testany",
            "testanystatus",
            "testsome",
            "testsomestatus",
            "teststatus",
            "waitall",
            "waitallstatus",
            "waitany",
            "waitanystatus",
            "waitfor",
            "waitsome",
            "waitsomestatus",
            "waitstatus");

    private CallNames() {}

    /**
     * Returns the name under which calls are counted for a name as the user wrote it.
     *
     * @throws IllegalArgumentException naming the nearest call if there is none of that name
     */
    static String of(String written) {
        String name = written.toLowerCase(Locale.ROOT).replace("_", "");
        if (name.equals("ckpt")) {
            return "checkpoint";
        }
        if (name.equals("loadckpt")) {
            return "loadcheckpoint";
        }
        if (!name.equals(FaultTrigger.ANY_OPERATION) && !ALL.contains(name)) {
            throw new IllegalArgumentException("unknown operation '" + name + "'; the nearest known one is "
                    + NearestName.to(name, ALL) + " (or * for any)");
        }
        return name;
    }
}
