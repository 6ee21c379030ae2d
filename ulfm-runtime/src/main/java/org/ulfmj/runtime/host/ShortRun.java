package org.ulfmj.runtime.host;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.FirstLooks;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.Payload;

/**
 * A short non-blocking operation in shared memory, of one wave of flags: each rank that contributes shows its bytes,
 * and each rank that gets a result reads the bytes it needs when all of these are there. All of that is done under the
 * engine lock, since the bytes are few.
 */
final class ShortRun extends HostRun {
    private int bytes;
    private int shownBytes;
    /** What {@link #isOverAtOnce} has met; mostly null. */
    private Throwable thrown;

    ShortRun(HostQueue queue) {
        super(queue);
    }

    @Override
    void set(HostArguments newArguments, long newCount, long newSequence, ScheduleRun.Listener newListener) {
        super.set(newArguments, newCount, newSequence, newListener);
        bytes = (int) newArguments.bytes(ranks);
        shownBytes = (int) newArguments.shownBytes(ranks);
    }

    private int dataAt() {
        return shownBytes <= HostWindow.INLINE_BYTES ? window.inlineAt(number) : window.placeAt(number);
    }

    @Override
    void begin() {
        show();
        window.sleepers().ring();
        goOn();
    }

    /**
     * Begins the operation in the call that starts it, and returns true if it has ended with its normal result. Else
     * the operation is to be opened, and {@link #goOn} to be called, which meets again what has kept it from its result
     * here.
     */
    boolean isOverAtOnce(FirstLooks looks, Engine engine) {
        boolean isWaiting = awaitedWave() >= 0;
        try {
            show();
            if (isAwaitingRoot()) {
                engine.ringOnLeave(window.sleepers());
            } else {
                window.sleepers().ring(); // with a fence: a rank that waits for none is to see who is elsewhere
            }
            if (isWaiting && !isAwaitingRoot()) {
                window.fetchNextSlot(number);
            }
            if (isWaiting ? !looks.areThere(this) || difference() != null : elsewhere() != null) {
                return false;
            }
            if (isWaiting) {
                finish();
            }
        } catch (RuntimeException | Error e) {
            thrown = e;
            return false;
        }
        succeedAtOnce(engine);
        return true;
    }

    private void show() {
        Payload send = arguments.send();
        if (shownBytes > 0 && !isAwaitingRoot()) {
            ByteBuffer to = queue.view(this).write(dataAt(), shownBytes);
            if (send == null) {
                arguments.receive().copyOut((long) window.rank() * bytes, to);
            } else {
                send.copyOut(0, to);
            }
        }
        window.showQuietly(this, 0);
    }

    /** Goes on with the operation after this rank has shown its bytes. */
    void goOn() {
        if (thrown != null) {
            queue.leaveInTheMiddle(this, thrown);
        } else if (awaitedWave() < 0) {
            succeedUnlessAlone();
        } else {
            look(); // the last rank finds all flags there, and its call is over at once
        }
    }

    @Override
    int awaitedWave() {
        boolean isForOthers = arguments.kind() == HostCall.BCAST && isRoot()
                || arguments.kind() == HostCall.REDUCE && arguments.receive() == null;
        return isForOthers ? -1 : 0;
    }

    @Override
    boolean look() {
        if (!isThere(0)) {
            return false;
        }
        if (!isInAnother()) {
            finish();
            succeed();
        }
        return true;
    }

    private void finish() {
        HostWindow.View view = queue.view(this);
        int at = dataAt();
        Payload receive = arguments.receive();
        switch (arguments.kind()) {
            case HostCall.BCAST -> receive.copyIn(0, view.read(arguments.root(), at, bytes));
            case HostCall.ALL_GATHER -> {
                for (int other = 0; other < ranks; other++) {
                    if (other != window.rank() || arguments.send() != null) {
                        receive.copyIn((long) other * bytes, view.read(other, at, bytes));
                    }
                }
            }
            case HostCall.ALL_TO_ALL -> {
                for (int other = 0; other < ranks; other++) {
                    int part = at + window.rank() * bytes;
                    receive.copyIn((long) other * bytes, view.read(other, part, bytes));
                }
            }
            case HostCall.REDUCE, HostCall.ALL_REDUCE -> fold(view, at);
            default -> {}
        }
    }

    private void fold(HostWindow.View view, int at) {
        VectorFold fold = queue.fold(this);
        boolean inArrays = VectorFold.isForArrays(arguments.reduction(), bytes);
        if (inArrays) {
            fold.ownNothing();
        }
        for (int other = 0; other < ranks; other++) {
            fold.source(inArrays, other, view.read(other, at, bytes));
        }
        fold.foldTo(inArrays, arguments.reduction(), arguments.width(), bytes, arguments.receive(), 0);
    }
}
