package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Status;

/**
 * A program with a manager that gives numbers to idle workers to be squared. If a worker dies before the manager has
 * its result, its number goes to another.
 */
final class BagOfTasks {
    private static final int TASK = 1;
    private static final int RESULT = 2;
    private static final int STOP = 3;
    private static final int NOTHING = -1;

    private final Intracomm comm;
    private final Deque<Integer> open = new ArrayDeque<>();
    private final int[] squares;
    private final int[] inHand;
    private int mourned;

    BagOfTasks(Intracomm comm, int tasks) {
        this.comm = comm;
        for (int task = 0; task < tasks; task++) {
            open.add(task);
        }
        squares = new int[tasks];
        Arrays.fill(squares, NOTHING);
        inHand = new int[comm.getSize()];
        Arrays.fill(inHand, NOTHING);
    }

    static void work(Intracomm comm) {
        int[] task = new int[1];
        while (comm.recv(task, 1, MPI.INT, 0, MPI.ANY_TAG).getTag() == TASK) {
            comm.send(new int[] {task[0], task[0] * task[0]}, 2, MPI.INT, 0, RESULT);
        }
    }

    void manage() {
        for (int worker = 1; worker < inHand.length; worker++) {
            give(worker);
        }
        while (Arrays.stream(squares).anyMatch(square -> square == NOTHING) && mourned < inHand.length - 1) {
            receive();
        }
        for (int worker = 1; worker < inHand.length; worker++) {
            send(worker, 0, STOP);
        }
        for (int task = 0; task < squares.length && mourned < inHand.length - 1; task++) {
            assertThat(squares[task]).isEqualTo(task * task);
        }
    }

    private void receive() {
        int[] result = new int[2];
        try {
            Status status = comm.recv(result, 2, MPI.INT, MPI.ANY_SOURCE, RESULT);
            squares[result[0]] = result[1];
            inHand[status.getSource()] = NOTHING;
            give(status.getSource());
        } catch (ProcFailedException death) {
            mourn();
        }
    }

    private void mourn() {
        int[] failed = Programs.failedRanks(comm);
        for (; mourned < failed.length; mourned++) {
            if (inHand[failed[mourned]] != NOTHING) {
                open.addFirst(inHand[failed[mourned]]);
                inHand[failed[mourned]] = NOTHING;
            }
        }
        comm.ackFailed(mourned);
        for (int worker = 1; worker < inHand.length; worker++) {
            int candidate = worker;
            if (inHand[worker] == NOTHING && Arrays.stream(failed).noneMatch(one -> one == candidate)) {
                give(worker);
            }
        }
    }

    private void give(int worker) {
        Integer task = open.poll();
        if (task != null) {
            inHand[worker] = task;
            send(worker, task, TASK);
        }
    }

    private void send(int worker, int task, int tag) {
        try {
            comm.send(new int[] {task}, 1, MPI.INT, worker, tag);
        } catch (ProcFailedException death) {
            assertThat(Programs.failedRanks(comm)).contains(worker);
        }
    }
}
