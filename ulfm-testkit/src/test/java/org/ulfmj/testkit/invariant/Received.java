package org.ulfmj.testkit.invariant;

import mpi.Status;

/**
 * A message that was received, described by its content and its status.
 *
 * @param senderSlot the sender's rank in COMM_WORLD, from the content
 * @param stream messages of one sender in one stream are numbered from 0
 * @param place the number that the message should have in its stream; −1 for the number after the last one received
 * @param wanted the rank that the receive named, or ANY_SOURCE
 * @param senderRank the sender's rank in the communicator, from the content
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
