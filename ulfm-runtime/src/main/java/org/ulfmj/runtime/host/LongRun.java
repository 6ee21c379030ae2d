package org.ulfmj.runtime.host;

import org.ulfmj.runtime.collective.run.DueStep;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * A longer non-blocking operation in shared memory, in waves of flags ({@link Waves}). It goes through lent memory
 * where that is tried and all ranks offer buffers there ({@link LentWaves}), else through stages in the segments
 * ({@link StagedWaves}). If not all ranks could go on through lent memory, the operation begins anew through stages, at
 * all ranks alike, and its waves are counted on.
 *
 * <p>The work of a wave is done under the engine lock if it is short, else by {@link DueStep}s.
 */
final class LongRun extends HostRun implements DueStep {
    private static final int LOCKED_BYTES = 64 * 1024;

    // The following are set by begin.
    private StagedWaves staged;
    /** The waves through lent memory; null unless the operation is tried so at this rank, or other ranks may try it. */
    private LentWaves lent;
    /** The waves by which the operation goes: {@link #staged} or {@link #lent}. */
    private Waves waves;
    /** How many waves had been shown before the first wave of {@link #waves}. */
    private int wavesBefore;

    /**
     * The number of the wave whose flags are awaited, or whose work is done now. One more than the last wave stands for
     * the work that is left after that wave.
     */
    private int wave;
    /** The piece of the wave's work that comes next; used by the thread that does the work. */
    private int piece;
    /** Whether the wave is shown and awaited. */
    private boolean isAwaiting;

    private boolean isAtWork;
    private ErrorClass error = ErrorClass.SUCCESS;
    private Throwable thrown;

    LongRun(HostQueue queue) {
        super(queue);
    }

    @Override
    void begin() {
        HostWindow.View view = queue.view(this);
        VectorFold fold = arguments.reduction() == null ? null : queue.fold(this);
        staged = new StagedWaves(this, view, fold);
        waves = staged;
        if (!staged.isOfOnePiece() && LentWaves.mayCarry(arguments) && queue.isLendingWorthIt(this)) {
            lent = new LentWaves(window, view, queue.all.setup.memory, queue.all.lending, arguments, number, fold);
            if (lent.offer()) {
                waves = lent;
            }
        }
        goOn();
    }

    private boolean isByLentMemory() {
        return lent != null && waves == lent;
    }

    @Override
    int awaitedWave() {
        return isAwaiting ? wavesBefore + wave : -1;
    }

    @Override
    boolean look() {
        if (!isAwaiting || !isThere(wavesBefore + wave)) {
            return false;
        }
        isAwaiting = false;
        if (wavesBefore + wave > 0 || !isInAnother()) {
            takeNext();
            goOn();
        }
        return true;
    }

    /**
     * Goes on to the next wave, or to the first wave through stages if not all ranks could go on through lent memory.
     */
    private void takeNext() {
        piece = 0;
        if (lent == null) {
            wave++;
        } else if (isByLentMemory()) {
            boolean goesOn = lent.areAllDone(wave);
            if (wave > 0 && (!goesOn || wave == lent.lastWave())) {
                queue.onLent(this, goesOn);
            }
            if (goesOn) {
                wave++;
            } else {
                beginAnew();
            }
        } else if (lent.isOfferedByAny()) {
            beginAnew();
        } else {
            lent = null;
            wave++;
        }
    }

    private void beginAnew() {
        lent = null;
        waves = staged;
        wavesBefore += wave + 1;
        wave = 0;
    }

    /**
     * Does the work of the wave if it is short, and shows the wave; longer work is left to a thread, after which the
     * wave is shown.
     */
    private void goOn() {
        if (isByLentMemory()) {
            lent.prepare(wave);
        }
        skipEmpty();
        if (hasPiece() && workBytes() > LOCKED_BYTES) {
            queue.addStep(this);
            return;
        }
        while (hasPiece()) {
            runNext();
        }
        onWorkDone();
    }

    private boolean hasPiece() {
        return piece < waves.pieces(wave);
    }

    private void skipEmpty() {
        while (hasPiece() && waves.isEmpty(wave, piece)) {
            piece++;
        }
    }

    private void runNext() {
        waves.run(wave, piece);
        piece++;
        skipEmpty();
    }

    /** About how many bytes the operation moves at this rank. */
    private long workBytes() {
        boolean isOneVector = arguments.reduction() != null || arguments.kind() == HostCall.BCAST;
        return (isOneVector ? 1 : ranks) * arguments.bytes(ranks);
    }

    private void onWorkDone() {
        if (wave > waves.lastWave()) {
            succeed();
            return;
        }
        if (isByLentMemory()) {
            lent.sayWhetherRead(wave);
        }
        window.show(this, wavesBefore + wave);
        if (wave == waves.lastWave() && arguments.receive() == null) {
            succeedUnlessAlone();
        } else {
            isAwaiting = true;
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
    public boolean isAtWork() {
        return isAtWork;
    }

    @Override
    public void runPiece(int mostBytes) {
        runNext();
    }

    @Override
    public void endWork(Throwable itsError) {
        isAtWork = false;
        if (isOver()) {
            listener.onEnd(error, itsError != null ? itsError : thrown);
        } else if (itsError != null) {
            queue.remove(this);
            fail(ErrorClass.OTHER, itsError);
        } else if (hasPiece()) {
            queue.addStep(this);
        } else {
            onWorkDone();
        }
        queue.all.settle(queue);
    }

    @Override
    void onFail(ErrorClass itsError, Throwable itsCause) {
        queue.removeStep(this);
        if (isByLentMemory()) {
            lent.takeBack();
        }
        if (isAtWork) {
            error = itsError;
            thrown = itsCause;
        } else {
            super.onFail(itsError, itsCause);
        }
    }
}
