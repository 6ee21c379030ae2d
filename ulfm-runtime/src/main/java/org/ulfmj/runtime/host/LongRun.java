package org.ulfmj.runtime.host;

import org.ulfmj.runtime.collective.run.DueStep;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.Payload;

/**
 * An operation in waves of flags, through two stages and two places for results, each pair in turn (rule H11). What a
 * rank writes in wave w lies where the others have read in wave w − 2; a rank that has shown wave w − 1 is done with
 * that. Before a wave, a rank
 *
 * <ul>
 *   <li>copies out what the wave before has shown for it (of a reduction: the results of the wave before),
 *   <li>of a reduction: combines its block of what the wave before has shown, and writes the result,
 *   <li>writes what it contributes to the next piece.
 * </ul>
 *
 * Each of these parts is a piece of local work: run under the engine lock if it is short, else by {@link DueStep}s.
 */
final class LongRun extends HostRun implements DueStep {
    private static final int PARTS = 3;
    private static final int LOCKED_BYTES = 64 * 1024;
    /** Places begin at multiples of it. No element is longer. */
    static final int ALIGNMENT = 128;
    /** The longest stage: then each of the parts of a wave is one piece of a step at two ranks. */
    private static final int LONGEST_STAGE = 512 * 1024;

    private int bytes;

    // The following are set by begin.
    private int stageBytes;
    private int resultBytes;
    /** How many bytes of the vector, or of each part, a wave carries. */
    private int most;

    private int pieces;
    /** The last wave that this rank shows. */
    private int lastWave;

    private HostWindow.View view;
    private VectorFold fold;

    /** The wave that is awaited, or for which the parts are done. One more than the last: what is left after it. */
    private int wave;
    /** The part of the wave's work that comes next; of the thread that does the work. */
    private int part;
    /** Whether the wave is shown and awaited. */
    private boolean isAwaiting;

    private boolean isAtWork;
    private ErrorClass error = ErrorClass.SUCCESS;
    private Throwable thrown;

    LongRun(HostQueue queue) {
        super(queue);
    }

    @Override
    void set(HostArguments newArguments, long newCount, long newSequence, ScheduleRun.Listener newListener) {
        super.set(newArguments, newCount, newSequence, newListener);
        bytes = (int) newArguments.bytes(ranks);
    }

    /** The length of a place that has room for the longest stages. */
    static int longestPlaceBytes() {
        return 2 * LONGEST_STAGE + 2 * resultBytes(LONGEST_STAGE);
    }

    private static int resultBytes(int stageBytes) {
        // There are at least two ranks, so each has at most half of the result, rounded up to an element.
        return stageBytes / 2 + ALIGNMENT & -ALIGNMENT;
    }

    private boolean isReduction() {
        return arguments.reduction() != null;
    }

    @Override
    void begin() {
        stageBytes = Math.min(LONGEST_STAGE, (window.placeBytes() - 4 * ALIGNMENT) / 3 & -ALIGNMENT);
        resultBytes = resultBytes(stageBytes);
        view = queue.view(this);
        int inStage = arguments.kind() == HostCall.ALL_GATHER || arguments.kind() == HostCall.ALL_TO_ALL ? ranks : 1;
        int unit = isReduction() ? arguments.width() : Long.BYTES;
        most = stageBytes / inStage / unit * unit;
        pieces = (bytes - 1) / most + 1;
        lastWave = isReduction() ? pieces : pieces - 1;
        if (isReduction()) {
            fold = queue.fold(this);
        }
        goOn();
    }

    @Override
    int awaitedWave() {
        return isAwaiting ? wave : -1;
    }

    @Override
    boolean look() {
        if (!isAwaiting || !isThere(wave)) {
            return false;
        }
        isAwaiting = false;
        if (wave > 0 || !isInAnother()) {
            wave++;
            part = 0;
            goOn();
        }
        return true;
    }

    /** Does the work of the wave, or leaves it to a thread, and shows the wave. */
    private void goOn() {
        if (workBytes() > LOCKED_BYTES) {
            queue.addStep(this);
            return;
        }
        while (part < PARTS) {
            runPart();
        }
        onWorkDone();
    }

    /** How many bytes the operation moves at this rank, about. */
    private long workBytes() {
        int each = isReduction() || arguments.kind() == HostCall.BCAST ? 1 : ranks;
        return (long) each * bytes;
    }

    private void onWorkDone() {
        if (wave > lastWave) {
            succeed();
            return;
        }
        window.show(this, wave);
        if (wave == lastWave && arguments.receive() == null) {
            succeedUnlessAlone();
        } else {
            isAwaiting = true;
        }
    }

    private void runPart() {
        switch (part) {
            case 0 -> collect(isReduction() ? wave - 2 : wave - 1);
            case 1 -> combine(wave - 1);
            default -> contribute(wave);
        }
        part++;
    }

    /** Whether the part that comes next has nothing to do. */
    private boolean isNextEmpty() {
        return switch (part) {
            case 0 -> arguments.receive() == null || wave < (isReduction() ? 2 : 1);
            case 1 -> !isReduction() || wave == 0 || wave > pieces;
            default -> wave >= pieces || isAwaitingRoot();
        };
    }

    // The parts of a wave's work.

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
        if (piece >= pieces) {
            return;
        }
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
        if (!isReduction() || piece < 0 || piece >= pieces) {
            return;
        }
        int from = piece * most;
        int length = length(piece);
        int begin = blockAt(length, window.rank());
        int end = blockAt(length, window.rank() + 1);
        int resultAt = resultsAt(piece);
        boolean inArrays = VectorFold.isForArrays(arguments.reduction(), length);
        for (int at = begin; at < end; at += TreeFold.CHUNK_BYTES) {
            int chunk = Math.min(TreeFold.CHUNK_BYTES, end - at);
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
        if (piece < 0 || piece >= pieces || receive == null) {
            return;
        }
        int from = piece * most;
        int length = length(piece);
        int own = window.rank();
        if (arguments.kind() == HostCall.BCAST) {
            receive.copyIn(from, view.read(arguments.root(), stageAt(piece), length));
            return;
        }
        for (int other = 0; other < ranks; other++) {
            if (isReduction()) {
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

    // Steps.

    @Override
    public MessageContext communicator() {
        return queue.communicator;
    }

    @Override
    public boolean callsProgram() {
        return false;
    }

    @Override
    public void beginWork() {
        isAtWork = true;
    }

    @Override
    public void runPiece(int mostBytes) {
        while (part < PARTS - 1 && isNextEmpty()) {
            part++;
        }
        runPart();
        if (part == PARTS - 1 && isNextEmpty()) {
            part++;
        }
    }

    @Override
    public void endWork(Throwable itsError) {
        isAtWork = false;
        if (isOver()) {
            listener.onEnd(error, itsError != null ? itsError : thrown);
        } else if (itsError != null) {
            queue.remove(this);
            fail(ErrorClass.OTHER, itsError);
        } else if (part < PARTS) {
            queue.addStep(this);
        } else {
            onWorkDone();
        }
        queue.all.settle(queue);
    }

    @Override
    void onFail(ErrorClass itsError, Throwable itsCause) {
        queue.removeStep(this);
        if (isAtWork) {
            error = itsError;
            thrown = itsCause;
        } else {
            super.onFail(itsError, itsCause);
        }
    }
}
