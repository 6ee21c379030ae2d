package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: the status of a received message names the rank that sent it, has no error, and counts at least the
 * elements that every message has. A receive that names a rank gets a message of that rank.
 */
final class StatusesDescribeTheMessage extends ProgramInvariant {
    @Override
    void onReceived(Call call, Received received) {
        if (received.status().getSource() != received.senderRank()) {
            violated(call + ": rank " + received.senderRank() + " sent it, the status says rank "
                    + received.status().getSource());
        }
        if (received.wanted() != MPI.ANY_SOURCE && received.wanted() != received.senderRank()) {
            violated(call + ": wanted from rank " + received.wanted() + ", came from " + received.senderRank());
        }
        if (received.status().getError() != MPI.SUCCESS) {
            violated(call + ": received, with error " + received.status().getError());
        }
        if (received.count() < Message.LEAST) {
            violated(call + ": of " + received.count() + " elements, at least " + Message.LEAST + " were sent");
        }
    }
}
