package org.ulfmj.testkit.invariant;

import mpi.Status;

/**
 * A message, as its content and its status say.
 *
 * @param senderSlot rank in COMM_WORLD of the process that wrote it, by its content
 * @param stream messages of one stream, from one sender, are numbered from 0
 * @param place which message of its stream it should be; −1 for the next
 * @param wanted the rank that the receive named, or ANY_SOURCE
 * @param senderRank rank in the communicator of the sender, by the content
 */
record Received(
        int senderSlot,
        int senderRank,
        long stream,
        int number,
        int place,
        int tag,
        int count,
        int wanted,
        Status status) {}
