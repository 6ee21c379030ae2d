package org.ulfmj.runtime.waits;

import java.util.List;

/**
 * One thing that a wait needs.
 *
 * @param action what is waited for, mostly in the words of MPI: {@code receive}, {@code allReduce}, {@code agree}
 * @param detail what tells this need from others of the same action: {@code tag 7}; may be empty
 * @param communicator the name of the communicator; empty if the need concerns none
 * @param communicatorId the id of the communicator; 0 if there is none
 * @param size the number of members of the communicator; 0 if there is none
 * @param number the number of a collective call on its communicator, by which the calls of all members are compared; −1
 *     for other needs
 * @param isAny whether one of the peers is enough, or any member if there are no peers
 * @param peers the ranks that are waited for; further ones than {@value #MOST_PEERS} are left out
 */
public record Need(
        String action,
        String detail,
        String communicator,
        long communicatorId,
        int size,
        long number,
        boolean isAny,
        List<AwaitedRank> peers) {
    public static final int MOST_PEERS = 16;

    public Need {
        peers = List.copyOf(peers);
    }
}
