package mpi;

import org.ulfmj.runtime.RankBinding;

/** A task of the program. Each thread that runs it acts for the task's rank meanwhile. */
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
