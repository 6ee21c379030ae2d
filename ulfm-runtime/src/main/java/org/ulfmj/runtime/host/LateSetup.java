package org.ulfmj.runtime.host;

import org.ulfmj.runtime.collective.run.DueStep;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * Begins a setup of a {@link HostWindow} later than the call of this rank that should have begun it, which was made
 * while another setup was under way. Makes this rank's segment, which takes long, without the engine lock, on a thread
 * of the program that is inside a call or on the progress thread.
 */
final class LateSetup implements DueStep {
    private final HostQueue queue;
    private WindowOffer offer;

    LateSetup(HostQueue queue) {
        this.queue = queue;
    }

    @Override
    public MessageContext communicator() {
        return queue.communicator;
    }

    @Override
    public boolean callsProgram() {
        return false;
    }

    @Override
    public void beginWork() {}

    @Override
    public void runPiece(int mostBytes) {
        offer = queue.makeOffer();
    }

    /**
     * Begins the setup with the segment that was made, if the setup is still due, as it is not once the queue is
     * closed. Does nothing if the work threw.
     */
    @Override
    public void endWork(Throwable itsError) {
        if (itsError == null) {
            queue.onLateOffer(offer);
        }
    }
}
