package org.ulfmj.launch;

import static org.ulfmj.launch.Requirement.require;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;
import mpi.Status;

/**
 * An MPI program in which several threads of every rank are inside MPI at once, each thread on a separate communicator,
 * which it shrinks when a rank dies. Arguments: {@code virtual} or {@code platform} threads, their number, number of
 * rounds.
 */
public final class ManyThreads {
    private static final int LARGE = 30_000;

    private ManyThreads() {}

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        boolean isVirtual = arguments[0].equals("virtual");
        int threads = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        ExecutorService pool = isVirtual ? virtualThreads() : Executors.newFixedThreadPool(threads);
        if (isVirtual) {
            measureWaiting(pool, threads);
        }
        // All ranks make these communicators before any rank can have finished an operation after which it may die.
        List<Intracomm> comms = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            comms.add(MPI.COMM_WORLD.dup());
        }
        List<Future<?>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int tag = thread;
            Intracomm comm = comms.get(thread);
            FutureTask<Integer> task = new FutureTask<>(() -> surviveAll(comm, tag, rounds));
            pool.execute(MPI.bindThread(task));
            tasks.add(task);
        }
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error death) {
                    throw death;
                }
                throw e;
            }
        }
        pool.shutdown();
        MPI.Finalize();
        System.out.println(rank + " finished");
    }

    /**
     * Does this many rounds of operations, and shrinks the communicator after each death. A round counts only if all
     * live ranks agree that each of them has finished it.
     */
    private static int surviveAll(Intracomm own, int tag, int rounds) {
        Intracomm comm = own;
        for (int done = 0; done < rounds; ) {
            boolean here = false;
            try {
                work(comm, tag, done);
                here = true;
            } catch (ProcFailedException | RevokedException e) {
                comm.revoke();
            }
            if (isAgreed(comm, here)) {
                done++;
            } else {
                comm = comm.shrink();
            }
        }
        return rounds;
    }

    private static void work(Intracomm comm, int tag, int round) {
        int size = comm.getSize();
        int rank = comm.getRank();
        int[] sum = {round + tag};
        comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
        require(sum[0] == size * (round + tag), "wrong sum");
        int count = round % 10 == 0 ? LARGE : 3;
        int[] data = new int[count];
        data[count - 1] = 1000 * rank + tag;
        int left = (rank + size - 1) % size;
        Status status = comm.sendRecvReplace(data, count, MPI.INT, (rank + 1) % size, tag, left, tag);
        require(data[count - 1] == 1000 * left + tag && status.getTag() == tag, "wrong data");
        comm.barrier();
    }

    private static boolean isAgreed(Intracomm comm, boolean here) {
        try {
            return comm.agree(here ? 1 : 0) == 1;
        } catch (ProcFailedException e) {
            return false;
        }
    }

    /** Checks that threads which wait for a late message use little processor time meanwhile. */
    private static void measureWaiting(ExecutorService pool, int threads) throws Exception {
        Intracomm comm = MPI.COMM_WORLD.dup();
        long[] times = new long[2];
        for (int round = 0; round < 2; round++) {
            if (comm.getRank() == 0) {
                LockSupport.parkNanos(1_000_000_000);
                for (int other = 1; other < comm.getSize(); other++) {
                    for (int tag = 0; tag < threads; tag++) {
                        comm.send(new int[1], 1, MPI.INT, other, tag);
                    }
                }
            } else {
                long beganMs = cpuMs();
                List<Future<?>> waits = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    int tag = thread;
                    FutureTask<Void> wait = new FutureTask<>(() -> comm.recv(new int[1], 1, MPI.INT, 0, tag), null);
                    pool.execute(MPI.bindThread(wait));
                    waits.add(wait);
                }
                for (Future<?> wait : waits) {
                    wait.get();
                }
                times[round] = cpuMs() - beganMs;
            }
        }
        // Only the processor time of the second round is checked: the first round includes loading and compiling
        // classes.
        require(times[1] < 400, "waiting for a second took " + times[1] + " ms of processor time");
    }

    private static long cpuMs() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    }

    /** By reflection, because this class is compiled for a Java version without virtual threads. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
