package mpi;

import java.time.Duration;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.leave.Preemption;

/** A program's handler for preemption. The thread that runs it acts for the handler's rank meanwhile. */
final class BoundPreemption implements Preemption.Action {
    private final RankBinding binding;
    private final PreemptionHandler handler;

    BoundPreemption(RankBinding binding, PreemptionHandler handler) {
        this.binding = binding;
        this.handler = handler;
    }

    @Override
    public void run(long timeNs) throws Exception {
        Exception[] thrown = new Exception[1];
        binding.run(() -> {
            try {
                handler.handle(Duration.ofNanos(timeNs));
            } catch (Exception e) {
                thrown[0] = e;
            }
        });
        if (thrown[0] != null) {
            throw thrown[0];
        }
    }
}
