package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.message.MessageKey;

/**
 * Sends a part to each destination of a topology, and receives a part from each source. All messages start at once: a
 * rank that put some of them off until others are done could wait for a neighbour that does the same.
 */
public final class NeighborSchedule extends CollectiveSchedule {
    private Neighborhood neighbors;
    private ByteBuffer send;
    private Blocks sendBlocks;
    private ByteBuffer receive;
    private Blocks receiveBlocks;

    /** To be set. */
    public NeighborSchedule() {
        super("neighborAllToAll");
    }

    /** As {@link #set}. */
    public NeighborSchedule(
            String operation,
            Neighborhood neighbors,
            ByteBuffer send,
            Blocks sendBlocks,
            ByteBuffer receive,
            Blocks receiveBlocks) {
        super(operation);
        set(operation, neighbors, send, sendBlocks, receive, receiveBlocks);
    }

    /**
     * Sets the buffers. The part for destination i lies in block i of {@code newSendBlocks}; the part from source i
     * goes to block i of {@code newReceiveBlocks}. A part that the rank sends to itself is as long as the block that it
     * goes to.
     */
    public NeighborSchedule set(
            String operation,
            Neighborhood newNeighbors,
            ByteBuffer newSend,
            Blocks newSendBlocks,
            ByteBuffer newReceive,
            Blocks newReceiveBlocks) {
        named(operation);
        neighbors = newNeighbors;
        send = view(newSend);
        sendBlocks = newSendBlocks;
        receive = view(newReceive);
        receiveBlocks = newReceiveBlocks;
        return this;
    }

    @Override
    protected void forget() {
        neighbors = null;
        send = null;
        sendBlocks = null;
        receive = null;
        receiveBlocks = null;
    }

    @Override
    protected void plan(Plan plan) {
        int rank = plan.rank();
        for (int i = 0; i < neighbors.sourceCount(); i++) {
            int from = neighbors.source(i);
            if (from != rank && from != MessageKey.NO_RANK) {
                plan.receive(from, receive, receiveBlocks.offset(i), receiveBlocks.length(i));
            }
        }
        for (int turn = 0; turn < neighbors.destinationCount(); turn++) {
            int i = neighbors.sentAt(turn);
            int to = neighbors.destination(i);
            if (to != rank && to != MessageKey.NO_RANK) {
                plan.send(to, send, sendBlocks.offset(i), sendBlocks.length(i));
            }
        }
        planOwnParts(plan);
    }

    private void planOwnParts(Plan plan) {
        int[] own = null;
        int copied = 0;
        for (int i = 0; i < neighbors.sourceCount(); i++) {
            if (neighbors.source(i) == plan.rank()) {
                own = own == null ? neighbors.partsToItself(plan.rank()) : own;
                int part = own[copied++];
                requireEqual(sendBlocks.length(part), receiveBlocks.length(i));
                plan.copy(send, sendBlocks.offset(part), receive, receiveBlocks.offset(i), receiveBlocks.length(i));
            }
        }
    }
}
