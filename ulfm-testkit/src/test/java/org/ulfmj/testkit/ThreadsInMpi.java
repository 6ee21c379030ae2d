package org.ulfmj.testkit;

/** Tells when another thread waits inside an MPI call. */
final class ThreadsInMpi {
    private static final long MOST_NS = 30_000_000_000L;

    private ThreadsInMpi() {}

    /**
     * Waits until a thread waits inside its MPI call, whether it polls or sleeps. The call has begun by then: its
     * receive is posted, or its collective or recovery call has been entered. The Java state of a thread does not show
     * that, because a thread may be blocked by a lock before its call has begun.
     *
     * @throws IllegalStateException if the thread has ended, or does not wait inside MPI within 30 s
     */
    static void await(Thread thread) {
        long beganNs = System.nanoTime();
        while (!isInMpi(thread)) {
            if (!thread.isAlive() || System.nanoTime() - beganNs > MOST_NS) {
                throw new IllegalStateException(thread + " does not wait in MPI; is it alive: " + thread.isAlive());
            }
            Thread.yield();
        }
    }

    private static boolean isInMpi(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("await") && frame.getClassName().endsWith(".PollingProgress")) {
                return true;
            }
        }
        return false;
    }
}
