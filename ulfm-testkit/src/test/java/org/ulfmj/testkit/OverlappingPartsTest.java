package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Comm;
import mpi.Datatype;
import mpi.Info;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;

/**
 * Tests that a collective raises an error at a rank whose received parts overlap (MPI 3.1 sections 5.5 to 5.8). Parts
 * that are sent may overlap.
 */
class OverlappingPartsTest {
    private static final int[] BOTH = {0, 1};

    @Test
    void shouldRefuseThemInEachCallThatReceivesParts() {
        Worlds.run(2, (world, rank) -> {
            // Each rank has both ranks as its neighbours, so that neighbour collectives have two parts, too.
            Comm comm = world.createDistGraphAdjacent(BOTH, BOTH, new Info(), false);
            if (rank == 0) {
                List<String> wrong = new ArrayList<>();
                int tried = 0;
                for (Method call : BadCallsTest.callsOf(Comm.class)) {
                    String displs = receivedAt(call);
                    if (displs != null) {
                        tried++;
                        String said = failure(call, comm);
                        if (!said.startsWith(MPI.ERR_BUFFER + " " + call.getName())
                                || !said.contains("parts of recvbuf overlap: " + displs + "[0] is 4 with recvcount")) {
                            wrong.add(call + ": " + said);
                        }
                    }
                }
                assertThat(wrong).isEmpty();
                // Two forms of gatherv, two of allGatherv, allToAllv, allToAllw, and two neighbour collectives; each is
                // blocking and non-blocking.
                assertThat(tried).isEqualTo(2 * (2 + 2 + 2 + 2));
            }
            world.barrier();
        });
    }

    /**
     * Returns the name of the parameter with the displacements of received parts; null if the call receives no such
     * parts.
     */
    private static String receivedAt(Method call) {
        return call.getName().matches("i?[sS]catterv")
                ? null
                : Arrays.stream(call.getParameters())
                        .map(Parameter::getName)
                        .filter(name -> name.matches("r?displs"))
                        .findFirst()
                        .orElse(null);
    }

    private static String failure(Method call, Comm comm) throws IllegalAccessException {
        Parameter[] parameters = call.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            String name = parameters[i].getName();
            Class<?> type = parameters[i].getType();
            arguments[i] = type == Datatype[].class
                    ? new Datatype[] {MPI.INT, MPI.INT}
                    : type != int[].class
                            ? BadArguments.good(parameters[i])
                            : name.contains("count")
                                    ? new int[] {1, 1}
                                    : name.equals("sdispls") ? new int[] {0, 4} : new int[] {4, 4};
        }
        try {
            call.invoke(comm, arguments);
            return "accepted";
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof MPIException error
                    ? error.getErrorClass() + " " + error.getMessage()
                    : e.getCause().toString();
        }
    }

    @Test
    void shouldNameThePartsAndWhatIsAllowed() {
        Worlds.run(3, (world, rank) -> {
            if (rank == 0) {
                MPIException thrown = catchThrowableOfType(
                        MPIException.class,
                        () -> world.gatherv(
                                new int[2],
                                2,
                                MPI.INT,
                                new int[9],
                                new int[] {2, 1, 3},
                                new int[] {4, 6, 2},
                                MPI.INT,
                                0));
                assertThat(thrown.getErrorClass()).isEqualTo(MPI.ERR_BUFFER);
                assertThat(thrown)
                        .hasMessageContaining("gatherv on COMM_WORLD: parts of recvbuf overlap: displs[0] is 4 with"
                                + " recvcount[0] 2, and displs[2] is 2 with recvcount[2] 3; allowed: parts without a"
                                + " common place");
            }
            world.barrier();
        });
    }

    @Test
    void shouldAllowPartsOfNoItemsAndPartsInTheGapsOfOthers() {
        Worlds.run(2, (world, rank) -> {
            int[] received = new int[6];
            // The datatype of a column of a matrix with two columns; its extent is one item, so that the next column
            // begins one item later.
            Datatype column = Datatype.createResized(Datatype.createVector(3, 1, 2, MPI.INT), 0, Integer.BYTES);
            column.commit();
            int[] mine = {10 * rank, 10 * rank + 1, 10 * rank + 2};
            world.allGatherv(mine, 3, MPI.INT, received, new int[] {1, 1}, new int[] {1, 0}, column);
            assertThat(received).containsExactly(10, 0, 11, 1, 12, 2);
            column.free();

            int[] one = {-1, -1};
            world.allGatherv(new int[] {7}, rank, MPI.INT, one, new int[] {0, 1}, new int[] {0, 0}, MPI.INT);
            assertThat(one).containsExactly(7, -1);
        });
    }

    @Test
    void shouldAllowPartsThatAreReadTwice() {
        Worlds.run(2, (world, rank) -> {
            int[] received = new int[2];
            int[] ones = {1, 1};
            world.allToAllv(new int[] {rank + 5}, ones, new int[2], MPI.INT, received, ones, BOTH, MPI.INT);
            assertThat(received).containsExactly(5, 6);
        });
    }
}
