package org.ulfmj.runtime.process;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.ulfmj.runtime.RankRuntime;

/**
 * Ends the rank at once when the thread that called {@code MPI.Init} has ended by an exception. Other threads of the
 * program would keep the process alive, and a rank that lives and sends nothing is worse for the others than a dead
 * one. If it is an exception that ends the whole job, the job is aborted. A rank that has finalized is not ended, nor
 * one that is preempted: the exception may be the news that others have left, and the program's handler for preemption
 * is not to be cut short.
 */
final class MainThreadEnd implements Thread.UncaughtExceptionHandler {
    private final Thread.UncaughtExceptionHandler former;
    private final RankRuntime runtime;

    private MainThreadEnd(Thread.UncaughtExceptionHandler former, RankRuntime runtime) {
        this.former = former;
        this.runtime = runtime;
    }

    /** Watches over the calling thread. */
    static void watch(RankRuntime runtime) {
        runtime.bindMainThread();
        Thread thread = Thread.currentThread();
        thread.setUncaughtExceptionHandler(new MainThreadEnd(thread.getUncaughtExceptionHandler(), runtime));
    }

    /**
     * Prints the name of the rank and the stack, or lets the program's own handler report the exception after the name
     * of the rank. If several ranks throw, each stack needs the name of its rank, also where output is not tagged. The
     * name and a stack that this class prints are written at once, so that they stay whole among those of the others.
     */
    private void tell(Thread thread, Throwable thrown) {
        String who = "rank " + runtime.id() + " ends by an uncaught exception:" + System.lineSeparator();
        if (former.getClass() == ThreadGroup.class && Thread.getDefaultUncaughtExceptionHandler() == null) {
            StringWriter text = new StringWriter();
            text.append(who)
                    .append("Exception in thread \"")
                    .append(thread.getName())
                    .append("\" ");
            thrown.printStackTrace(new PrintWriter(text, true));
            System.err.print(text);
            System.err.flush();
        } else {
            System.err.print(who);
            former.uncaughtException(thread, thrown);
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        if (runtime.signals().hasLeft()) {
            return; // the exception says that this rank takes part in nothing any more
        }
        try {
            tell(thread, thrown);
        } finally {
            if (!runtime.isFinished() && !runtime.signals().isPreempted()) {
                if (runtime.jobEnd().isCauseOf(thrown)) {
                    // The job is aborted: if this rank were started again, it would find no rank that can go on, since
                    // all others end too.
                    ProcessEnd.uncaughtByAll(runtime);
                }
                ProcessEnd.uncaught();
            }
        }
    }
}
