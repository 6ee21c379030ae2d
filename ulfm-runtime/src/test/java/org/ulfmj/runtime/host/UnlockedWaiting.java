package org.ulfmj.runtime.host;

/** Waits without an engine lock, for tests whose ranks are all in the same calls. */
abstract class UnlockedWaiting implements HostWaiting {
    @Override
    public void letGo() {}

    @Override
    public void takeBack() {}

    @Override
    public RuntimeException mismatch(String what) {
        return new IllegalStateException(what);
    }

    @Override
    public RuntimeException contradicted(int rank, long itsDescription) {
        return new IllegalStateException("rank " + rank + " says " + itsDescription);
    }
}
