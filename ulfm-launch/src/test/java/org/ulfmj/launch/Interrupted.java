package org.ulfmj.launch;

import static org.ulfmj.launch.Requirement.require;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * An MPI program of three ranks that makes blocking calls of many kinds, in two threads per rank that are interrupted
 * before the call or at random moments. Each call must have its normal result, no rank may see a failure, and the
 * interrupt flag must be set afterwards exactly if there was an interrupt. Arguments: seed, number of rounds.
 */
public final class Interrupted {
    private static final int LARGE = 100_000;
    private static final int SIZE = 3;

    private interface Call {
        void run() throws Exception;
    }

    private final Intracomm comm;
    private final int rank;
    private final SplittableRandom random;
    private final Map<String, Call> calls = new LinkedHashMap<>();

    private Interrupted(Intracomm comm, SplittableRandom random) {
        this.comm = comm;
        this.rank = comm.getRank();
        this.random = random;
        pointToPoint();
        collectives();
        recovery();
        requests();
    }

    public static void main(String[] arguments) throws Exception {
        Thread.currentThread().interrupt();
        MPI.Init(arguments);
        require(Thread.interrupted(), "Init lost an interrupt");
        int rank = MPI.COMM_WORLD.getRank();
        int rounds = Integer.parseInt(arguments[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[0]) * SIZE + rank);
        Interrupted here = new Interrupted(MPI.COMM_WORLD.dup(), random.split());
        Interrupted there = new Interrupted(MPI.COMM_WORLD.dup(), random.split());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread second = new Thread(MPI.bindThread(() -> {
            try {
                there.play(rounds);
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        }));
        second.start();
        here.play(rounds);
        second.join();
        if (failure.get() != null) {
            throw new AssertionError("the second thread failed", failure.get());
        }
        require(MPI.COMM_WORLD.getFailed().getSize() == 0, "a rank has failed");
        try (Interrupter interrupter = Interrupter.ofCaller(random.nextLong())) {
            here.lingerSometimes();
            MPI.Finalize();
            interrupter.check("Finalize");
        }
        Thread.interrupted();
        System.out.println(rank + " was interrupted in vain");
    }

    private void play(int rounds) throws Exception {
        for (Map.Entry<String, Call> call : calls.entrySet()) {
            Thread.currentThread().interrupt();
            call.getValue().run();
            require(Thread.interrupted(), call.getKey() + " lost an interrupt that came before");
        }
        try (Interrupter interrupter = Interrupter.ofCaller(random.nextLong())) {
            for (int round = 1; round <= rounds; round++) {
                interrupter.awaitFired(round + 1);
                for (Map.Entry<String, Call> call : calls.entrySet()) {
                    lingerSometimes();
                    call.getValue().run();
                    interrupter.check(call.getKey());
                }
            }
        }
        Thread.interrupted();
    }

    private void pointToPoint() {
        calls.put("send and recv of a large message", () -> {
            int[] data = new int[LARGE];
            if (rank == 0) {
                Arrays.fill(data, 7);
                comm.send(data, LARGE, MPI.INT, 1, 1);
            } else if (rank == 1) {
                comm.recv(data, LARGE, MPI.INT, 0, 1);
                require(data[0] == 7 && data[LARGE - 1] == 7, "wrong data");
            }
        });
        calls.put("sSend and recv from any source", () -> {
            if (rank == 2) {
                comm.sSend(new int[] {5}, 1, MPI.INT, 0, 2);
            } else if (rank == 0) {
                int[] one = new int[1];
                comm.recv(one, 1, MPI.INT, MPI.ANY_SOURCE, 2);
                require(one[0] == 5, "wrong data");
            }
        });
        calls.put("probe", () -> {
            if (rank == 1) {
                comm.send(new int[3], 3, MPI.INT, 2, 3);
            } else if (rank == 2) {
                require(comm.probe(1, 3).getCount(MPI.INT) == 3, "wrong length");
                comm.recv(new int[3], 3, MPI.INT, 1, 3);
            }
        });
        calls.put("sendRecv", () -> {
            int[] got = new int[1];
            comm.sendRecv(new int[] {rank}, 1, MPI.INT, (rank + 1) % SIZE, 4, got, 1, MPI.INT, (rank + 2) % SIZE, 4);
            require(got[0] == (rank + 2) % SIZE, "wrong data");
        });
    }

    private void collectives() {
        calls.put("barrier", comm::barrier);
        calls.put("bcast", () -> comm.bcast(new int[LARGE], LARGE, MPI.INT, 1));
        calls.put("reduce", () -> comm.reduce(new int[] {1}, new int[1], 1, MPI.INT, MPI.SUM, 2));
        calls.put("allReduce", () -> {
            int[] sum = {1};
            comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
            require(sum[0] == SIZE, "wrong sum");
        });
        calls.put("gather", () -> comm.gather(new int[1], 1, MPI.INT, new int[SIZE], 1, MPI.INT, 0));
        calls.put("scatter", () -> comm.scatter(new int[SIZE], 1, MPI.INT, new int[1], 1, MPI.INT, 0));
        calls.put("allGather", () -> comm.allGather(new int[1], 1, MPI.INT, new int[SIZE], 1, MPI.INT));
        calls.put("allToAll", () -> comm.allToAll(new int[SIZE], 1, MPI.INT, new int[SIZE], 1, MPI.INT));
        calls.put(
                "reduceScatter",
                () -> comm.reduceScatter(new int[SIZE], new int[1], new int[] {1, 1, 1}, MPI.INT, MPI.SUM));
        calls.put("scan", () -> comm.scan(new int[1], new int[1], 1, MPI.INT, MPI.SUM));
        calls.put("exScan", () -> comm.exScan(new int[1], new int[1], 1, MPI.INT, MPI.SUM));
    }

    private void recovery() {
        calls.put("split", () -> comm.split(0, rank).free());
        calls.put("agree", () -> require(comm.agree(rank + 4) == 4, "wrong value"));
        calls.put("agreeFailed", () -> require(comm.agreeFailed().getSize() == 0, "somebody failed"));
        calls.put("shrink", () -> {
            Intracomm same = comm.shrink();
            require(same.getSize() == SIZE, "somebody is missing");
            same.free();
        });
    }

    private void requests() {
        calls.put("waitFor and waitAll", () -> {
            IntBuffer got = MPI.newIntBuffer(1);
            Request receive = comm.iRecv(got, 1, MPI.INT, (rank + 2) % SIZE, 5);
            Request send = comm.iSend(MPI.newIntBuffer(1).put(0, rank), 1, MPI.INT, (rank + 1) % SIZE, 5);
            if (rank == 0) {
                receive.waitFor();
                send.waitFor();
            } else {
                Request.waitAll(new Request[] {send, receive});
            }
            require(got.get(0) == (rank + 2) % SIZE, "wrong data");
        });
        calls.put("iAgree", () -> {
            IntBuffer flag = MPI.newIntBuffer(1).put(0, rank + 4);
            comm.iAgree(flag).waitFor();
            require(flag.get(0) == 4, "wrong value");
        });
    }

    /** Delays the calling thread at random, in one of three cases on average, so that other ranks wait for it. */
    private void lingerSometimes() {
        if (random.nextInt(SIZE) == 0) {
            long untilNs = System.nanoTime() + random.nextLong(random.nextInt(20) == 0 ? 60_000_000 : 2_000_000);
            while (System.nanoTime() - untilNs < 0) {
                Thread.yield();
            }
        }
    }
}
