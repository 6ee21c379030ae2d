package mpi;

import org.ulfmj.runtime.RankBinding;

/** A task that works for a rank, no matter on which thread it is run. */
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
