package org.ulfmj.runtime.process;

import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.runtime.store.StoreLine;

/**
 * The way of this rank to the store of the job, which is in the launcher. A separate class, so that MPI.Init loads no
 * class of the store.
 */
final class LauncherStore implements StoreLine {
    private final LauncherLine launcher;

    private LauncherStore(LauncherLine launcher) {
        this.launcher = launcher;
    }

    static StoreLine over(LauncherLine launcher) {
        return new LauncherStore(launcher);
    }

    @Override
    public StoreReply ask(StoreRequest request) {
        return launcher.ask(request);
    }

    @Override
    public boolean hasRoom(StoreRequest request) {
        return launcher.hasRoomToAsk(request);
    }

    @Override
    public void withdraw(StoreReply reply) {
        launcher.withdraw(reply);
    }
}
