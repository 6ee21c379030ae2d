package mpi;

import org.ulfmj.runtime.RankBinding;

/** A task that works for one rank on every thread that runs it. */
final class BoundTask implements Runnable {
    private final RankBinding binding;
    private final Runnable task;

    BoundTask(RankBinding binding, Runnable task) {
        this.binding = binding;
        this.task = task;
    }

    @Override
    public void run() {
        binding.run(task);
    }
}
