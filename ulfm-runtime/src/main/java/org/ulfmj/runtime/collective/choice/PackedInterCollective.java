package org.ulfmj.runtime.collective.choice;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.inter.InterAllGatherSchedule;
import org.ulfmj.runtime.collective.inter.InterAllReduceSchedule;
import org.ulfmj.runtime.collective.inter.InterAllToAllSchedule;
import org.ulfmj.runtime.collective.inter.InterBroadcastSchedule;
import org.ulfmj.runtime.collective.inter.InterGatherSchedule;
import org.ulfmj.runtime.collective.inter.InterReduceScatterSchedule;
import org.ulfmj.runtime.collective.inter.InterReduceSchedule;
import org.ulfmj.runtime.collective.inter.InterScatterSchedule;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * The collective operations of an inter-communicator, in which a group gets data of the other one. A group that has no
 * ranks any more gives none: the buffers of the other group stay as they are.
 *
 * <p>In an operation with a root, a buffer is null at the ranks whose role does not use it. {@code broadcast} and
 * {@code scatter} send from the root and receive at all ranks of the other group; {@code gather} and {@code reduce}
 * send from all ranks of the other group and receive at the root. {@code root} is {@link TwoGroups#ROOT} at the root,
 * {@link org.ulfmj.runtime.message.MessageKey#NO_RANK} at the other ranks of its group, and the root's rank in the
 * other group.
 */
final class PackedInterCollective {
    private PackedInterCollective() {}

    static PackedCollective broadcast(MessageContext communicator, CollectiveBuffer data, int root) {
        boolean isRoot = root == TwoGroups.ROOT;
        if (isRoot) {
            data.pack();
        }
        return new PackedCollective()
                .set(
                        new InterBroadcastSchedule(communicator.groups(), packed(data), member(communicator, root)),
                        isRoot ? null : data);
    }

    static PackedCollective gather(
            MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        pack(send);
        return new PackedCollective()
                .set(
                        new InterGatherSchedule(
                                communicator.groups(),
                                packed(send),
                                packed(receive),
                                receive == null ? null : receive.blocks(),
                                member(communicator, root)),
                        receive);
    }

    static PackedCollective scatter(
            MessageContext communicator, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        pack(send);
        return new PackedCollective()
                .set(
                        new InterScatterSchedule(
                                communicator.groups(),
                                packed(send),
                                send == null ? null : send.blocks(),
                                packed(receive),
                                member(communicator, root)),
                        receive);
    }

    static PackedCollective allGather(TwoGroups groups, CollectiveBuffer send, CollectiveBuffer receive) {
        send.pack();
        return new PackedCollective()
                .set(new InterAllGatherSchedule(groups, send.packed(), receive.packed(), receive.blocks()), receive);
    }

    static PackedCollective allToAll(TwoGroups groups, CollectiveBuffer send, CollectiveBuffer receive) {
        send.pack();
        return new PackedCollective()
                .set(
                        new InterAllToAllSchedule(
                                groups, send.packed(), send.blocks(), receive.packed(), receive.blocks()),
                        receive);
    }

    static PackedCollective reduce(
            MessageContext communicator,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        TwoGroups groups = communicator.groups();
        pack(send);
        return new PackedCollective()
                .set(
                        new InterReduceSchedule(
                                groups,
                                packed(send),
                                packed(receive),
                                elementBytes,
                                reduction,
                                member(communicator, root)),
                        result(groups, receive));
    }

    static PackedCollective allReduce(
            TwoGroups groups, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        send.pack();
        return new PackedCollective()
                .set(
                        new InterAllReduceSchedule(groups, send.packed(), receive.packed(), elementBytes, reduction),
                        result(groups, receive));
    }

    /**
     * @param send has a part for each rank of the caller's group; part r is as long as the part of the result that rank
     *     r gets
     */
    static PackedCollective reduceScatter(
            TwoGroups groups, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        send.pack();
        return new PackedCollective()
                .set(
                        new InterReduceScatterSchedule(
                                groups, send.packed(), receive.packed(), send.blocks(), elementBytes, reduction),
                        result(groups, receive));
    }

    /** The number of the root among all members of both groups; negative at the other ranks of the root's group. */
    private static int member(MessageContext communicator, int root) {
        return root == TwoGroups.ROOT ? communicator.rank() : communicator.memberOf(root);
    }

    private static CollectiveBuffer result(TwoGroups groups, CollectiveBuffer receive) {
        return groups.remoteSize() == 0 ? null : receive;
    }

    private static void pack(CollectiveBuffer send) {
        if (send != null) {
            send.pack();
        }
    }

    private static ByteBuffer packed(CollectiveBuffer buffer) {
        return buffer == null ? null : buffer.packed();
    }
}
