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
     * Begins the setup with the segment that was made. If the communicator has failed meanwhile, its operations have
     * ended, and there is nothing to set up.
     */
    @Override
    public void endWork(Throwable itsError) {
        if (itsError == null) {
            queue.onLateOffer(offer);
        }
    }
}
