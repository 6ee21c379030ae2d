package org.ulfmj.runtime.collective.run;

import org.ulfmj.runtime.transfer.MessageContext;

/**
 * Local work that is due and that no particular thread is to run, as {@link DueSteps} sees it: mostly a step of a
 * non-blocking collective operation. It is run in pieces. Under the engine lock, except {@link #runPiece}.
 */
public interface DueStep {
    MessageContext communicator();

    /** Whether the step that is due calls code of the program. */
    boolean callsProgram();

    /** Notes that a thread is about to run a piece of the step. */
    void beginWork();

    /**
     * Runs a piece of the step, without the engine lock.
     *
     * @param mostBytes about how many bytes the piece works on, if this is a step of a {@link ScheduleRun}
     */
    void runPiece(int mostBytes);

    /**
     * Notes that a piece has ended. If more of the step is left, this object adds itself to {@link DueSteps} again.
     *
     * @param itsError what the piece threw; else null
     */
    void endWork(Throwable itsError);
}
