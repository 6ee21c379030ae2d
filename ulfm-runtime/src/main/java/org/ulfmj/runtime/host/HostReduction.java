package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * The reductions in shared memory: the vectors of all ranks combined, at all of them or at a root.
 *
 * <p>Short: every rank shows its vector in its segment, and a rank that wants the result reads all of them. Longer:
 * each rank is responsible for one block of the vector. It shows the others its vector without that block
 * ({@link #contribute}). When all have done so, it combines its block from all vectors and shows the result
 * ({@link #combine}). When all have done so, it copies the other results out ({@link #collect}). A vector that is
 * longer than one operation may put into the ring goes so in pieces, through stages ({@link #runLong}).
 */
public final class HostReduction {
    /** Up to this many bytes a vector is short: each rank that wants the result reads the vectors of all ranks. */
    private static final int SHORT_BYTES = 4096;
    /**
     * If the vectors of all ranks together have up to this many bytes, and the ring takes one of them, the root of a
     * reduce alone reduces them, and reads all of them. The other ranks do not wait for the result.
     */
    private static final int ALL_TO_ROOT_BYTES = 64 * 1024;

    private final HostGroup group;
    private final VectorFold fold;
    /** By rank, the index in that rank's segment at which the bytes begin that this rank is to read. */
    private final int[] places;

    // The arguments of the call that is under way.
    private Payload send;
    private Payload receive;
    private Reduction reduction;
    private int elementBytes;
    private boolean isLetGo;

    public HostReduction(HostGroup group) {
        this.group = group;
        this.fold = new VectorFold(group.size());
        this.places = new int[group.size()];
    }

    /** Combines the vectors of all ranks, at all ranks. Both payloads may lie in the same memory. */
    public void allReduce(Payload contribution, Payload result, int width, Reduction operator) {
        int bytes = (int) contribution.lengthBytes();
        run(contribution, result, width, operator, HostCall.of(HostCall.ALL_REDUCE, 0, operator.code(), bytes));
    }

    /**
     * Combines the vectors that all ranks have in {@code data}, as {@link #allReduce}, and writes the result to
     * {@code data} and to {@code record}. If this method throws, {@code data} is unchanged.
     *
     * @param record takes the result from its position, which stays, to its limit: as long as the data, in native order
     */
    public void allReduceRecorded(Payload data, ByteBuffer record, int width, Reduction operator) {
        if (isShort((int) data.lengthBytes())) {
            allReduce(data, data, width, operator); // writes when nothing can fail any more
            int at = record.position();
            data.copyOut(0, record);
            record.position(at);
        } else {
            allReduce(data, new BufferPayload(record), width, operator);
            data.copyIn(0, record.duplicate().order(ByteOrder.nativeOrder()));
        }
    }

    /**
     * Whether a vector is so short that every rank reads the vectors of all ranks, and then has nothing left to wait
     * for.
     */
    private boolean isShort(int bytes) {
        return bytes <= Math.min(SHORT_BYTES, group.layout().longestRingData());
    }

    /**
     * Combines the vectors of all ranks, at a root.
     *
     * @param result null at all ranks but the root
     */
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
        group.needs(bytes);
        int place = group.place(bytes);
        contribution.copyOut(0, group.write(place, bytes));
        boolean isBrief = result == null || bytes * group.size() <= SHORT_BYTES;
        long operation = isBrief ? group.publishLast(call, place) : group.publish(call, place);
        if (result != null) {
            group.awaitAllAhead(operation);
            group.requireSame(operation, call);
            foldShort(operation, contribution, bytes, result, width, operator);
        }
    }

    private void run(Payload contribution, Payload result, int width, Reduction operator, long call) {
        int bytes = (int) contribution.lengthBytes();
        group.needs(bytes);
        if (isShort(bytes)) {
            int place = group.place(bytes);
            contribution.copyOut(0, group.write(place, bytes));
            long operation = group.publish(call, place);
            group.awaitAll(operation);
            group.requireSame(operation, call);
            foldShort(operation, contribution, bytes, result, width, operator);
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
                finish(bytes, place, place + blockAt(bytes, group.rank()), call);
            } else {
                runLong(bytes, call);
            }
        } finally {
            send = null;
            receive = null;
            reduction = null;
        }
    }

    /**
     * Combines the vectors that all ranks have shown. This rank's vector is read in the program's buffer if it has at
     * most {@link VectorFold#CHUNK_BYTES} bytes: then the result overwrites nothing of it that is still to be read.
     */
    private void foldShort(long operation, Payload own, int bytes, Payload result, int width, Reduction operator) {
        if (group.size() == 2 && bytes == width && foldOne(operation, own, bytes, result, operator)) {
            return;
        }
        boolean inArrays = VectorFold.isForArrays(operator, bytes);
        boolean isOwnRead = bytes <= VectorFold.CHUNK_BYTES;
        if (inArrays && !isOwnRead) {
            fold.ownNothing();
        }
        for (int done = 0; done < bytes; done += VectorFold.CHUNK_BYTES) {
            int length = Math.min(VectorFold.CHUNK_BYTES, bytes - done);
            for (int other = 0; other < group.size(); other++) {
                if (isOwnRead && other == group.rank()) {
                    fold.own(inArrays, other, own, 0, length);
                } else {
                    fold.source(inArrays, other, group.read(other, group.placeOf(operation, other) + done, length));
                }
            }
            fold.foldTo(inArrays, operator, width, length, result, done);
        }
    }

    private boolean foldOne(long operation, Payload own, int bytes, Payload result, Reduction operator) {
        int other = 1 - group.rank();
        int at = group.placeOf(operation, other);
        return operator.combineOne(own, group.memory(other, at, bytes), at, group.rank() == 0, result);
    }

    /**
     * Combines a long vector in pieces. Each wave of flags shows two things: every rank's contribution to one piece,
     * and every rank's result of the piece before. Both lie apart from those of the wave before, and are overwritten in
     * the wave after next: a rank that has begun the next wave has read them.
     */
    private void runLong(int bytes, long call) {
        HostLayout layout = group.layout();
        int most = layout.stageBytes / elementBytes * elementBytes;
        int pieces = (bytes - 1) / most + 1;
        for (int wave = 0; wave <= pieces; wave++) {
            letGo();
            try {
                if (wave > 1) {
                    collectPiece(wave - 2, bytes, most);
                }
                if (wave > 0) {
                    combinePiece(wave - 1, bytes, most);
                }
                if (wave < pieces) {
                    int from = wave * most;
                    contribute(from, Math.min(most, bytes - from), layout.stageAt(wave));
                }
            } finally {
                takeBack();
            }
            group.placeNothing();
            long shown = group.publish(call, 0);
            group.awaitAll(shown);
            group.requireSame(shown, call);
        }
        letGo();
        try {
            collectPiece(pieces - 1, bytes, most);
        } finally {
            takeBack();
        }
    }

    private void combinePiece(int piece, int bytes, int most) {
        int from = piece * most;
        int stageAt = group.layout().stageAt(piece);
        Arrays.fill(places, stageAt);
        combine(from, Math.min(most, bytes - from), group.layout().resultsAt(piece));
    }

    private void collectPiece(int piece, int bytes, int most) {
        if (receive != null) {
            int from = piece * most;
            Arrays.fill(places, group.layout().resultsAt(piece));
            collect(from, Math.min(most, bytes - from));
        }
    }

    /** Ends a reduction whose vector goes as one piece, in the ring, once this rank's contribution is written. */
    private void finish(int length, int place, int resultAt, long call) {
        long shown = group.publish(call, place);
        group.awaitAll(shown);
        group.requireSame(shown, call);
        findPlaces(shown);
        combine(0, length, resultAt);
        group.keepPlace();
        long combined = group.publish(call, resultAt);
        group.awaitAll(combined);
        if (receive != null) {
            findPlaces(combined);
            collect(0, length);
        }
    }

    private void findPlaces(long operation) {
        for (int other = 0; other < places.length; other++) {
            places[other] = group.placeOf(operation, other);
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

    /** Returns where the block of a rank begins in a piece of this many bytes. */
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

    private void combine(int from, int length, int resultAt) {
        int begin = blockAt(length, group.rank());
        int end = blockAt(length, group.rank() + 1);
        boolean inArrays = VectorFold.isForArrays(reduction, length);
        for (int at = begin; at < end; at += VectorFold.CHUNK_BYTES) {
            int bytes = Math.min(VectorFold.CHUNK_BYTES, end - at);
            for (int other = 0; other < group.size(); other++) {
                if (other != group.rank()) {
                    fold.source(inArrays, other, group.read(other, places[other] + at, bytes));
                }
            }
            ByteBuffer result = group.write(resultAt + at - begin, bytes);
            fold.foldWithOwn(inArrays, reduction, elementBytes, group.rank(), send, from + at, result, receive);
        }
    }

    private void collect(int from, int length) {
        for (int other = 0; other < group.size(); other++) {
            int at = blockAt(length, other);
            int bytes = blockAt(length, other + 1) - at;
            if (other != group.rank() && bytes > 0) {
                receive.copyIn(from + at, group.read(other, places[other], bytes));
            }
        }
    }
}
