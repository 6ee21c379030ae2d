package examples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import mpi.MPI;

/**
 * A step in which several threads of each rank exchange messages at the same time on one communicator, told apart by
 * their tags.
 */
final class ThreadSteps {
    private static final int THREADS = 3;
    private static final int EXCHANGES = 4;

    private final BiConsumer<Message, Message> exchange;

    /** @param exchange sends the first message and receives the second one */
    ThreadSteps(BiConsumer<Message, Message> exchange) {
        this.exchange = exchange;
    }

    /**
     * Returns when all threads have ended. A thread that ends with an exception or an error revokes the communicator,
     * which ends the waits of the others. If any thread has thrown, what one of them threw is thrown here.
     */
    void run(Scope scope, Step step) {
        List<Talker> talkers = new ArrayList<>();
        for (int number = 1; number <= THREADS; number++) {
            talkers.add(new Talker(scope, step, number));
        }
        talkers.forEach(talker -> talker.thread.start());
        talkers.forEach(Talker::join);
        talkers.forEach(Talker::rethrow);
    }

    private final class Talker implements Runnable {
        private final Thread thread;
        private final Scope scope;
        private final Step step;
        private final int number;
        private RuntimeException exception;
        private Error error;

        Talker(Scope scope, Step step, int number) {
            this.scope = scope;
            this.step = step;
            this.number = number;
            thread = new Thread(MPI.bindThread(this), "talker-" + number);
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try {
                talk();
            } catch (RuntimeException e) {
                exception = e;
            } catch (Error e) {
                error = e;
            }
        }

        private void talk() {
            try {
                for (int i = 0; i < EXCHANGES; i++) {
                    int message = number * EXCHANGES + i;
                    Message out = Message.of(scope, step, message, scope.rank, scope.right(1));
                    Message in = Message.of(scope, step, message, scope.left(1), scope.rank);
                    exchange.accept(out.ofTag(number), in.ofTag(number));
                }
            } catch (RuntimeException | Error e) {
                // Threads of other ranks may wait for a message of this thread, which sends no more. The revocation
                // ends their waits.
                scope.comm.revoke();
                throw e;
            }
        }

        void join() {
            boolean interrupted = false;
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void rethrow() {
            if (error != null) {
                throw error;
            }
            if (exception != null) {
                throw exception;
            }
        }
    }
}
