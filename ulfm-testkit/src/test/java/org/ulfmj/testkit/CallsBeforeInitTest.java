package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Makes public calls of five classes of package {@code mpi} before Init, on objects that a program has then. Each must
 * fail with an error that says that Init must be called first.
 */
class CallsBeforeInitTest {
    /**
     * By class whose calls are tried: an object of it that a program has before Init. The calls of MPI are static and
     * need none.
     */
    private static final Map<Class<?>, Object> OBJECTS = Map.of(
            Comm.class, MPI.COMM_WORLD,
            Intracomm.class, MPI.COMM_SELF,
            Request.class, MPI.REQUEST_NULL,
            Message.class, new Message(),
            MPI.class, "no object");

    @Test
    void shouldRefuseEachCallBeforeInit() throws IllegalAccessException {
        List<Method> calls = BadCallsTest.callsOf(OBJECTS.keySet().toArray(Class<?>[]::new));
        calls.removeIf(call -> BadCallsTest.ALLOWED_WITHOUT_A_RANK.contains(call.getName())
                || call.getName().matches("new\\w+Buffer|i?mRecv"));
        // Some arguments can only be made after Init.
        List<Object[]> arguments = new ArrayList<>();
        Worlds.run(1, (world, rank) -> {
            for (Method call : calls) {
                arguments.add(BadCallsTest.goodOf(call.getParameters()));
            }
        });

        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Object object = OBJECTS.get(calls.get(i).getDeclaringClass());
            BadCallsTest.check(calls.get(i), object, arguments.get(i), wrong, MPI.ERR_OTHER, "call MPI.Init first");
        }
        assertThat(wrong).isEmpty();
        assertThat(calls).hasSizeGreaterThan(170);
    }
}
