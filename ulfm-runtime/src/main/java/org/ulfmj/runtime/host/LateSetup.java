package org.ulfmj.runtime.host;

import org.ulfmj.runtime.collective.run.DueStep;
import org.ulfmj.runtime.transfer.MessageContext;

/**
 * Begins a setup for which this rank has made the call, or begun to make it, while another one was under way: makes
 * this rank's segment, which takes long, without the engine lock, on a thread that waits or on the progress thread.
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

    /** If the communicator has failed meanwhile, its operations have ended: there is nothing to set up. */
    @Override
    public void endWork(Throwable itsError) {
        if (itsError == null) {
            queue.onLateOffer(offer);
        }
    }
}
