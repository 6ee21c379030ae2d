package org.ulfmj.runtime.host;

import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.Payload;

/**
 * A long operation that goes, at each rank, through two stages and two places for results in its segment, each pair
 * used in turn (rule W5). What a rank writes in wave w overwrites what it wrote in wave w − 2; a rank that has shown
 * wave w − 1 has read that. Before it shows a wave, a rank
 *
 * <ul>
 *   <li>copies out what the wave before has shown for it (in a reduction: the results of the wave before),
 *   <li>in a reduction: combines its block of what the wave before has shown, and writes the result,
 *   <li>writes its contribution to the next piece.
 * </ul>
 */
final class StagedWaves implements Waves {
    private static final int COLLECT = 0;
    private static final int COMBINE = 1;
    private static final int PIECES = 3;
    /** Places begin at multiples of this many bytes. No element is longer. */
    static final int ALIGNMENT = 128;
    /** The most bytes of a stage. */
    private static final int LONGEST_STAGE = 512 * 1024;

    private final HostWindow window;
    private final HostWindow.View view;
    private final VectorFold fold;
    private final HostArguments arguments;
    private final long number;
    private final int ranks;
    private final boolean isReduction;
    private final boolean isAwaitingRoot;

    private final int bytes;
    private final int stageBytes;
    private final int resultBytes;
    /** The most bytes of the vector, or of each part, that one wave carries. */
    private final int most;
    /** How many waves carry contributions. */
    private final int pieces;

    /** @param fold combines the vectors; null unless the operation is a reduction */
    StagedWaves(LongRun run, HostWindow.View view, VectorFold fold) {
        this.window = run.window;
        this.view = view;
        this.fold = fold;
        this.arguments = run.arguments;
        this.number = run.number;
        this.ranks = run.ranks;
        this.isReduction = arguments.reduction() != null;
        this.isAwaitingRoot = run.isAwaitingRoot();
        this.bytes = (int) arguments.bytes(ranks);
        this.stageBytes = Math.min(LONGEST_STAGE, (window.placeBytes() - 4 * ALIGNMENT) / 3 & -ALIGNMENT);
        this.resultBytes = resultBytes(stageBytes);
        int inStage = arguments.kind() == HostCall.ALL_GATHER || arguments.kind() == HostCall.ALL_TO_ALL ? ranks : 1;
        int unit = isReduction ? arguments.width() : Long.BYTES;
        this.most = stageBytes / inStage / unit * unit;
        this.pieces = (bytes - 1) / most + 1;
    }

    /** The length of a place in a slot's memory that has room for the longest stages. */
    static int longestPlaceBytes() {
        return 2 * LONGEST_STAGE + 2 * resultBytes(LONGEST_STAGE);
    }

    private static int resultBytes(int stageBytes) {
        // There are at least two ranks, so each has at most half of the result, rounded up to an element.
        return stageBytes / 2 + ALIGNMENT & -ALIGNMENT;
    }

    /**
     * Whether the operation goes as one piece, so that all contributions lie in the stages at one time; the same at all
     * members.
     */
    boolean isOfOnePiece() {
        return pieces == 1;
    }

    @Override
    public int lastWave() {
        return isReduction ? pieces : pieces - 1;
    }

    @Override
    public int pieces(int wave) {
        return PIECES;
    }

    @Override
    public boolean isEmpty(int wave, int piece) {
        return switch (piece) {
            case COLLECT -> arguments.receive() == null || wave < (isReduction ? 2 : 1);
            case COMBINE -> !isReduction || wave == 0 || wave > pieces;
            default -> wave >= pieces || isAwaitingRoot;
        };
    }

    @Override
    public void run(int wave, int piece) {
        switch (piece) {
            case COLLECT -> collect(isReduction ? wave - 2 : wave - 1);
            case COMBINE -> combine(wave - 1);
            default -> contribute(wave);
        }
    }

    private int length(int piece) {
        return Math.min(most, bytes - piece * most);
    }

    private int stageAt(int piece) {
        return window.placeAt(number) + (piece & 1) * stageBytes;
    }

    private int resultsAt(int piece) {
        return window.placeAt(number) + 2 * stageBytes + (piece & 1) * resultBytes;
    }

    /** Returns where the block of a rank begins in a piece of this many bytes. */
    private int blockAt(int length, int rank) {
        return (int) ((long) (length / arguments.width()) * rank / ranks) * arguments.width();
    }

    private void contribute(int piece) {
        int from = piece * most;
        int length = length(piece);
        int at = stageAt(piece);
        int own = window.rank();
        Payload send = arguments.send();
        switch (arguments.kind()) {
            case HostCall.BCAST -> {
                if (send != null) {
                    send.copyOut(from, view.write(at, length));
                }
            }
            case HostCall.ALL_GATHER -> {
                if (send != null) {
                    send.copyOut(from, view.write(at, length));
                } else {
                    arguments.receive().copyOut((long) own * bytes + from, view.write(at, length));
                }
            }
            case HostCall.ALL_TO_ALL -> {
                for (int other = 0; other < ranks; other++) {
                    send.copyOut((long) other * bytes + from, view.write(at + other * length, length));
                }
            }
            default -> {
                int begin = blockAt(length, own);
                int end = blockAt(length, own + 1);
                if (begin > 0) {
                    send.copyOut(from, view.write(at, begin));
                }
                if (end < length) {
                    send.copyOut(from + end, view.write(at + end, length - end));
                }
            }
        }
    }

    private void combine(int piece) {
        int from = piece * most;
        int length = length(piece);
        int begin = blockAt(length, window.rank());
        int end = blockAt(length, window.rank() + 1);
        int resultAt = resultsAt(piece);
        boolean inArrays = VectorFold.isForArrays(arguments.reduction(), length);
        for (int at = begin; at < end; at += VectorFold.CHUNK_BYTES) {
            int chunk = Math.min(VectorFold.CHUNK_BYTES, end - at);
            for (int other = 0; other < ranks; other++) {
                if (other != window.rank()) {
                    fold.source(inArrays, other, view.read(other, stageAt(piece) + at, chunk));
                }
            }
            fold.foldWithOwn(
                    inArrays,
                    arguments.reduction(),
                    arguments.width(),
                    window.rank(),
                    arguments.send(),
                    from + at,
                    view.write(resultAt + at - begin, chunk),
                    arguments.receive());
        }
    }

    private void collect(int piece) {
        Payload receive = arguments.receive();
        int from = piece * most;
        int length = length(piece);
        int own = window.rank();
        if (arguments.kind() == HostCall.BCAST) {
            receive.copyIn(from, view.read(arguments.root(), stageAt(piece), length));
            return;
        }
        for (int other = 0; other < ranks; other++) {
            if (isReduction) {
                int begin = blockAt(length, other);
                int block = blockAt(length, other + 1) - begin;
                if (other != own && block > 0) {
                    receive.copyIn(from + begin, view.read(other, resultsAt(piece), block));
                }
            } else if (arguments.kind() == HostCall.ALL_TO_ALL) {
                receive.copyIn((long) other * bytes + from, view.read(other, stageAt(piece) + own * length, length));
            } else if (other != own || arguments.send() != null) {
                receive.copyIn((long) other * bytes + from, view.read(other, stageAt(piece), length));
            }
        }
    }
}
