package org.ulfmj.runtime;

import java.util.concurrent.atomic.AtomicReference;
import org.ulfmj.runtime.options.Options;

/**
 * Says which rank a thread works for. A process that is one rank binds all its threads at once, and {@link #current}
 * then looks at one field only; where ranks are threads each thread is bound on its own.
 *
 * <p>A binding also carries the objects that package {@code mpi} keeps for the rank. Thread-safe.
 */
public final class RankBinding {
    private static final ThreadLocal<RankBinding> BOUND = new ThreadLocal<>();
    private static volatile RankBinding process;

    private final RankRuntime runtime;
    private final String initialErrorHandler;
    private final Options options;
    private final AtomicReference<Object> attachment = new AtomicReference<>();
    private volatile Object extension;

    /**
     * @param initialErrorHandler {@code mpi_errors_return}, {@code mpi_errors_abort} or {@code mpi_errors_are_fatal},
     *     as option {@code ulfm.initial.errhandler} says; null if the user named none
     */
    public RankBinding(RankRuntime runtime, String initialErrorHandler) {
        this(runtime, initialErrorHandler, null);
    }

    /** @param options of the job, for libraries that are built on package {@code mpi} */
    public RankBinding(RankRuntime runtime, String initialErrorHandler, Options options) {
        this.runtime = runtime;
        this.initialErrorHandler = initialErrorHandler;
        this.options = options;
    }

    /** Returns the binding of the rank that the calling thread works for, or null. */
    public static RankBinding current() {
        RankBinding only = process;
        return only != null ? only : BOUND.get();
    }

    /** Says that this process is one rank: all its threads work for that rank, for good. */
    public static void bindProcess(RankBinding binding) {
        if (process != null) {
            throw new IllegalStateException("this process is already rank " + process.runtime.id());
        }
        process = binding;
    }

    /** Runs {@code task} on the calling thread, which is bound to this rank meanwhile. */
    public void run(Runnable task) {
        RankBinding before = BOUND.get();
        BOUND.set(this);
        try {
            task.run();
        } finally {
            if (before == null) {
                BOUND.remove();
            } else {
                BOUND.set(before);
            }
        }
    }

    public RankRuntime runtime() {
        return runtime;
    }

    /** The name of the initial error handler; null if the user named none. */
    public String initialErrorHandler() {
        return initialErrorHandler;
    }

    /** The options of the job; null if this binding was made without any. */
    public Options options() {
        return options;
    }

    /** What {@link #attach} kept, or null. */
    public Object attachment() {
        return attachment.get();
    }

    /** What {@link #extend} kept, or null. */
    public Object extension() {
        return extension;
    }

    /** Keeps, for this rank, the object of a library that is built on package {@code mpi}. */
    public void extend(Object newExtension) {
        extension = newExtension;
    }

    /** Keeps an object for this rank, for good; returns false, and does nothing, if there is one already. */
    public boolean attach(Object kept) {
        return attachment.compareAndSet(null, kept);
    }
}
