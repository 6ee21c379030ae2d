package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.Reduction;
import org.ulfmj.transport.Payload;

/**
 * All ranks' vectors combined, at all of them or at a root.
 *
 * <p>Short: every rank shows its vector, and whoever wants the result reads all of them. Longer: each rank is responsible for
 * one block of the vector. It shows the others' blocks of its own vector ({@link #contribute}); when all have, it combines
 * its block from all vectors and shows the result ({@link #combine}); when all have, it copies the other results out ({@link
 * #collect}). One stage carries as much as the stage of a segment holds; the next one uses the same memory, since its
 * contributions are written when all results of this one were seen to be shown, and its results when all its contributions were.
 */
public final class HostReduction {
    /** Up to so many bytes each rank reads everything. */
    private static final int SHORT_BYTES = 4096;
    /** As long as all vectors together have so many bytes the root alone reads everything: the others go on at once. */
    private static final int ALL_TO_ROOT_BYTES = 64 * 1024;

    private final HostGroup group;
    private final TreeFold fold;
    private final ByteBuffer own =
            ByteBuffer.allocateDirect(TreeFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    private final ByteBuffer combined =
            ByteBuffer.allocateDirect(TreeFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    // Of the call that is going on.
    private Payload send;
    private Payload receive;
    private Reduction reduction;
    private int elementBytes;
    private boolean isLetGo;

    public HostReduction(HostGroup group) {
        this.group = group;
        this.fold = new TreeFold(group.size());
    }

    /** Both payloads may lie in the same memory. */
    public void allReduce(Payload contribution, Payload result, int width, Reduction operator) {
        int bytes = (int) contribution.lengthBytes();
        run(contribution, result, width, operator, HostCall.of(HostCall.ALL_REDUCE, 0, operator.code(), bytes));
    }

    /** @param result null at all but the root */
    public void reduce(Payload contribution, Payload result, int width, Reduction operator, int root) {
        int bytes = (int) contribution.lengthBytes();
        long call = HostCall.of(HostCall.REDUCE, root, operator.code(), bytes);
        int shortBytes = Math.max(SHORT_BYTES, ALL_TO_ROOT_BYTES / group.size());
        if (bytes <= Math.min(shortBytes, group.layout().longestRingData())) {
            reduceShort(contribution, result, width, operator, call);
        } else {
            run(contribution, result, width, operator, call);
        }
    }

    private void reduceShort(Payload contribution, Payload result, int width, Reduction operator, long call) {
        int bytes = (int) contribution.lengthBytes();
        int place = group.place(bytes);
        contribution.copyOut(0, group.write(place, bytes));
        long operation = group.publish(call, place);
        if (result != null) {
            group.awaitAll(operation);
            group.requireSame(operation, call);
            foldShort(operation, bytes, result, width, operator);
        }
    }

    private void run(Payload contribution, Payload result, int width, Reduction operator, long call) {
        int bytes = (int) contribution.lengthBytes();
        if (bytes <= Math.min(SHORT_BYTES, group.layout().longestRingData())) {
            int place = group.place(bytes);
            contribution.copyOut(0, group.write(place, bytes));
            long operation = group.publish(call, place);
            group.awaitAll(operation);
            group.requireSame(operation, call);
            foldShort(operation, bytes, result, width, operator);
            return;
        }
        send = contribution;
        receive = result;
        reduction = operator;
        elementBytes = width;
        try {
            if (bytes <= group.layout().longestRingData()) {
                int place = group.place(bytes);
                contribute(0, bytes, place);
                int resultAt = place + blockAt(bytes, group.rank());
                finish(0, bytes, place, resultAt, call, false);
            } else {
                runLong(bytes, call);
            }
        } finally {
            send = null;
            receive = null;
            reduction = null;
        }
    }

    private void foldShort(long operation, int bytes, Payload result, int width, Reduction operator) {
        int size = group.size();
        for (int other = 0; other < size; other++) {
            fold.source(other, group.read(other, group.placeOf(operation, other), bytes));
        }
        if (bytes <= TreeFold.CHUNK_BYTES) {
            fold.fold(operator, width, bytes, combined.clear().limit(bytes));
            result.copyIn(0, combined);
            return;
        }
        for (int done = 0; done < bytes; done += TreeFold.CHUNK_BYTES) {
            int length = Math.min(TreeFold.CHUNK_BYTES, bytes - done);
            for (int other = 0; other < size; other++) {
                fold.source(other, group.read(other, group.placeOf(operation, other) + done, length));
            }
            fold.fold(operator, width, length, combined.clear().limit(length));
            result.copyIn(done, combined);
        }
    }

    private void runLong(int bytes, long call) {
        HostLayout layout = group.layout();
        int stage = layout.stageBytes / elementBytes * elementBytes;
        for (int done = 0; done < bytes; done += stage) {
            int length = Math.min(stage, bytes - done);
            group.placeNothing();
            letGo();
            try {
                contribute(done, length, layout.stageAt);
            } finally {
                takeBack();
            }
            finish(done, length, layout.stageAt, layout.resultsAt, call, true);
        }
    }

    /** From the moment when the contributions are written. */
    private void finish(int from, int length, int place, int resultAt, long call, boolean isLong) {
        long shown = group.publish(call, place);
        group.awaitAll(shown);
        group.requireSame(shown, call);
        if (isLong) {
            letGo();
        }
        try {
            combine(shown, from, length, resultAt);
        } finally {
            if (isLong) {
                takeBack();
            }
        }
        group.keepPlace();
        long combined = group.publish(call, resultAt);
        group.awaitAll(combined);
        if (receive == null) {
            return;
        }
        if (isLong) {
            letGo();
        }
        try {
            collect(combined, from, length);
        } finally {
            if (isLong) {
                takeBack();
            }
        }
    }

    private void letGo() {
        group.waiting().letGo();
        isLetGo = true;
    }

    private void takeBack() {
        if (isLetGo) {
            isLetGo = false;
            group.waiting().takeBack();
        }
    }

    /** Where the block of a rank begins in a piece of so many bytes. */
    private int blockAt(int length, int rank) {
        return (int) ((long) (length / elementBytes) * rank / group.size()) * elementBytes;
    }

    private void contribute(int from, int length, int place) {
        int mineAt = blockAt(length, group.rank());
        int mineEnd = blockAt(length, group.rank() + 1);
        if (mineAt > 0) {
            send.copyOut(from, group.write(place, mineAt));
        }
        if (mineEnd < length) {
            send.copyOut(from + mineEnd, group.write(place + mineEnd, length - mineEnd));
        }
    }

    private void combine(long operation, int from, int length, int resultAt) {
        int rank = group.rank();
        int begin = blockAt(length, rank);
        int end = blockAt(length, rank + 1);
        int chunk = TreeFold.CHUNK_BYTES / elementBytes * elementBytes;
        for (int at = begin; at < end; at += chunk) {
            int bytes = Math.min(chunk, end - at);
            for (int other = 0; other < group.size(); other++) {
                fold.source(other, other == rank ? ownPart(from + at, bytes) : read(operation, other, at, bytes));
            }
            ByteBuffer result = group.write(resultAt + at - begin, bytes);
            fold.fold(reduction, elementBytes, bytes, result);
            if (receive != null) {
                receive.copyIn(from + at, result);
            }
        }
    }

    private ByteBuffer ownPart(int from, int bytes) {
        send.copyOut(from, own.clear().limit(bytes));
        return own.flip();
    }

    private ByteBuffer read(long operation, int other, int at, int bytes) {
        return group.read(other, group.placeOf(operation, other) + at, bytes);
    }

    private void collect(long operation, int from, int length) {
        for (int other = 0; other < group.size(); other++) {
            int at = blockAt(length, other);
            int bytes = blockAt(length, other + 1) - at;
            if (other != group.rank() && bytes > 0) {
                receive.copyIn(from + at, read(operation, other, 0, bytes));
            }
        }
    }
}
