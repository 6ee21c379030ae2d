package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import mpi.CartComm;
import mpi.CartParms;
import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.DistGraphNeighbors;
import mpi.DoubleComplex;
import mpi.FloatComplex;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.BadArguments.Bad;

/**
 * Makes the public calls of many classes of package {@code mpi}, but for some that are named here, with one bad
 * argument, on a freed object, and after Finalize. Each must fail with an error of the right class that names the call,
 * and for a bad argument also the argument, its value if that has a distinct text, and what is allowed.
 */
class BadCallsTest {
    /** Names of the calls that are not tried here. */
    private static final Set<String> LEFT_OUT = Set.of(
            "abort",
            "Init",
            "InitThread",
            "Finalize",
            "pControl",
            "onSignal",
            "onPreemption",
            "callErrhandler",
            "equals",
            "compareTo");

    /** Names of the calls that are allowed on a freed object, such as those that ask whether it is null or print it. */
    private static final Set<String> ALLOWED_WHEN_FREED =
            Set.of("isNull", "toString", "hashCode", "isFreed", "getRequest", "isRevoked");

    /** Names of the calls that need no rank, and of those that MPI allows at any time. */
    static final Set<String> ALLOWED_WITHOUT_A_RANK = Set.of(
            "isInitialized",
            "isFinalized",
            "getVersion",
            "getLibVersion",
            "wtime",
            "wtick",
            "slice",
            "createDims",
            "toString",
            "isNull",
            "isNoProc",
            "createErrhandler");

    /** By name of a parameter: the words that an error may have in the place of that name. */
    private static final Map<String, List<String>> ALSO_NAMED = Map.of(
            "sendtype", List.of("sendbuf"),
            "sendtypes", List.of("sendbuf"),
            "recvtype", List.of("recvbuf"),
            "recvtypes", List.of("recvbuf"),
            "type", List.of("the type"),
            "array", List.of("the buffer"),
            "localComm", List.of("the communicator"),
            "comm1", List.of("the communicator"),
            "comm2", List.of("the communicator"));

    private static final Map<Class<?>, Integer> FREED_CLASSES = Map.of(
            Comm.class, MPI.ERR_COMM,
            Intracomm.class, MPI.ERR_COMM,
            CartComm.class, MPI.ERR_COMM,
            GraphComm.class, MPI.ERR_COMM,
            Datatype.class, MPI.ERR_TYPE,
            Group.class, MPI.ERR_GROUP,
            Info.class, MPI.ERR_INFO,
            Op.class, MPI.ERR_OP,
            Prequest.class, MPI.ERR_REQUEST);

    /** The classes whose calls are tried after Finalize, since they need a rank. */
    private static final Set<Class<?>> NEEDS_A_RANK =
            Set.of(Comm.class, Intracomm.class, CartComm.class, GraphComm.class, Message.class, MPI.class);

    @Test
    void shouldRefuseEachBadArgumentOfEachCall() {
        Worlds.run(1, (world, rank) -> {
            BadArguments table = new BadArguments();
            Map<Class<?>, Object> objects = objects();
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (Method call : calls()) {
                Parameter[] parameters = call.getParameters();
                for (int i = 0; i < parameters.length; i++) {
                    for (Bad bad : table.of(parameters[i])) {
                        Object[] arguments = goodOf(parameters);
                        arguments[i] = bad.value();
                        String fault = refusal(call, objectFor(call, objects), arguments, bad, parameters[i]);
                        if (fault != null) {
                            wrong.add(call.getDeclaringClass().getSimpleName() + "." + call.getName() + " with "
                                    + parameters[i].getName() + " = " + bad + ": " + fault);
                        }
                        tried++;
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(1_500);
        });
    }

    /**
     * Makes the tried calls of {@link Comm} and {@link Intercomm} but the static ones and the neighbour collectives, on
     * an inter-communicator of two groups of one rank each, with each bad argument. Of a call that has a root only the
     * root is tried with bad values.
     */
    @Test
    void shouldRefuseEachBadArgumentOnAnIntercommunicator() {
        Worlds.run(2, (world, rank) -> {
            Intercomm inter = world.createIntercomm(world.split(rank, 0), 0, 1 - rank, 7);
            BadArguments table = new BadArguments();
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (Method call : callsOf(Comm.class, Intercomm.class)) {
                boolean isTried = !Modifier.isStatic(call.getModifiers())
                        && !call.getName().matches("i?[nN]eighbor.*");
                Parameter[] parameters = isTried ? call.getParameters() : new Parameter[0];
                boolean isRooted = Arrays.stream(parameters)
                        .anyMatch(each -> each.getName().equals("root"));
                for (int i = 0; i < parameters.length; i++) {
                    boolean isSignificant = !isRooted || parameters[i].getName().equals("root");
                    for (Bad bad : isSignificant ? table.of(parameters[i]) : List.<Bad>of()) {
                        Object[] arguments = goodOf(parameters);
                        arguments[i] = bad.value();
                        String fault = refusal(call, inter, arguments, bad, parameters[i]);
                        // On an inter-communicator the form with one buffer is refused no matter what its arguments
                        // are. That refusal is right.
                        if (fault != null && !fault.contains("the form with a send and a receive buffer")) {
                            wrong.add(call.getName() + " with " + parameters[i].getName() + " = " + bad + ": " + fault);
                        }
                        tried++;
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(500);
        });
    }

    /** Shows that an inter-communicator refuses the neighbour collectives, which need a topology. */
    @Test
    void shouldRefuseCallsThatAnIntercommunicatorDoesNotHave() {
        Worlds.run(2, (world, rank) -> {
            Intercomm inter = world.createIntercomm(world.split(rank, 0), 0, 1 - rank, 7);
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (Method call : callsOf(Comm.class)) {
                if (call.getName().matches("i?[nN]eighbor.*")) {
                    check(call, inter, goodOf(call.getParameters()), wrong, MPI.ERR_TOPOLOGY);
                    tried++;
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(7);
        });
    }

    @Test
    void shouldRefuseEachCallOnAFreedObject() {
        Worlds.run(1, (world, rank) -> {
            Map<Class<?>, Object> objects = objects();
            // Objects of the other classes are left out.
            objects.keySet().retainAll(FREED_CLASSES.keySet());
            for (Object object : objects.values()) {
                object.getClass().getMethod("free").invoke(object);
            }
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (Method call : calls()) {
                Object object = objects.get(call.getDeclaringClass());
                if (object != null
                        && !Modifier.isStatic(call.getModifiers())
                        && !ALLOWED_WHEN_FREED.contains(call.getName())) {
                    check(
                            call,
                            object,
                            goodOf(call.getParameters()),
                            wrong,
                            FREED_CLASSES.get(call.getDeclaringClass()));
                    tried++;
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(180);
        });
    }

    @Test
    void shouldRefuseEachCallOnAFreedIntercommunicator() {
        Worlds.run(2, (world, rank) -> {
            Intercomm inter = world.createIntercomm(world.split(rank, 0), 0, 1 - rank, 7);
            inter.free();
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (Method call : callsOf(Comm.class, Intercomm.class)) {
                if (!Modifier.isStatic(call.getModifiers()) && !ALLOWED_WHEN_FREED.contains(call.getName())) {
                    check(call, inter, goodOf(call.getParameters()), wrong, MPI.ERR_COMM);
                    tried++;
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(110);
        });
    }

    @Test
    void shouldRefuseEachCallAfterFinalize() {
        LocalResult result = LocalWorld.run(1, () -> {
            MPI.Init(new String[0]);
            Map<Class<?>, Object> objects = objects();
            List<Method> calls = calls();
            List<Object[]> arguments = new ArrayList<>();
            for (Method call : calls) {
                arguments.add(goodOf(call.getParameters()));
            }
            MPI.Finalize();
            List<String> wrong = new ArrayList<>();
            int tried = 0;
            for (int i = 0; i < calls.size(); i++) {
                Method call = calls.get(i);
                if (NEEDS_A_RANK.contains(call.getDeclaringClass())
                        && !ALLOWED_WITHOUT_A_RANK.contains(call.getName())
                        && !call.getName().matches("new\\w+Buffer")) {
                    check(call, objects.get(call.getDeclaringClass()), arguments.get(i), wrong, MPI.ERR_OTHER);
                    tried++;
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(tried).isGreaterThan(170);
        });
        result.requireSurvivorsSucceeded();
    }

    /**
     * Makes a call that must fail. Adds what is wrong to a list, unless the call fails with an error of the given class
     * that names the call and contains the given words.
     */
    static void check(
            Method call, Object object, Object[] arguments, List<String> wrong, int errorClass, String... words)
            throws IllegalAccessException {
        String name = call.getDeclaringClass().getSimpleName() + "." + call.getName();
        // The clone of a communicator or a datatype is its dup.
        boolean isDup = call.getName().equals("clone") && call.getDeclaringClass() != Info.class;
        String said = isDup ? "dup" : call.getName();
        try {
            call.invoke(object, arguments);
            wrong.add(name + ": accepted");
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof MPIException error)) {
                wrong.add(name + ": " + e.getCause());
            } else if (error.getErrorClass() != errorClass
                    || !error.getMessage().contains(said)
                    || !Arrays.stream(words).allMatch(error.getMessage()::contains)) {
                wrong.add(name + ": error class " + error.getErrorClass() + ", " + error.getMessage());
            }
        }
    }

    private static String refusal(Method call, Object object, Object[] arguments, Bad bad, Parameter parameter)
            throws IllegalAccessException {
        try {
            call.invoke(object, arguments);
            return "accepted";
        } catch (InvocationTargetException e) {
            Throwable error = e.getCause();
            int errorClass;
            if (error instanceof MPIException raised) {
                errorClass = raised.getErrorClass();
            } else if (error instanceof IllegalArgumentException) {
                errorClass = BadArguments.ILLEGAL_ARGUMENT;
            } else {
                return error.toString();
            }
            String message = error.getMessage();
            boolean isNamed = message.contains(parameter.getName())
                    || ALSO_NAMED.getOrDefault(parameter.getName(), List.of()).stream()
                            .anyMatch(message::contains);
            return bad.allows(errorClass)
                            && message.contains(call.getName())
                            && isNamed
                            && bad.isSaidIn(message)
                            && message.contains("allowed")
                    ? null
                    : "error class " + errorClass + ", " + message;
        }
    }

    /** A struct takes no more fields once its type was made, so each call has a separate one. */
    private static Object objectFor(Method call, Map<Class<?>, Object> objects) {
        return call.getDeclaringClass() == Struct.class ? new Pair() : objects.get(call.getDeclaringClass());
    }

    static Object[] goodOf(Parameter[] parameters) {
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = BadArguments.good(parameters[i]);
        }
        return arguments;
    }

    private static List<Method> calls() {
        return callsOf(
                Comm.class,
                Intracomm.class,
                CartComm.class,
                GraphComm.class,
                Datatype.class,
                Group.class,
                Info.class,
                Op.class,
                Request.class,
                Prequest.class,
                Status.class,
                Message.class,
                MPI.class,
                Struct.class,
                Count.class,
                CartParms.class,
                GraphParms.class,
                DistGraphNeighbors.class,
                FloatComplex.class,
                DoubleComplex.class);
    }

    /** The public calls of the given classes that are to be tried, always in the same order. */
    static List<Method> callsOf(Class<?>... types) {
        List<Method> calls = new ArrayList<>();
        for (Class<?> type : types) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && !method.isBridge()
                        && !isForOtherRanks(method)
                        && !LEFT_OUT.contains(method.getName())) {
                    calls.add(method);
                }
            }
        }
        // The JVM gives them in any order.
        calls.sort(Comparator.comparing(Method::toGenericString));
        return calls;
    }

    /**
     * Whether a method is a form of gatherv or scatterv for the ranks that are not the root. A world of one rank has no
     * such rank.
     */
    private static boolean isForOtherRanks(Method method) {
        return method.getName().matches("i?(gatherv|scatterv|Gatherv|Scatterv)")
                && method.getParameterTypes()[1] == int.class
                && method.getParameterCount() == 4;
    }

    /** An object for the calls of each class. */
    private static Map<Class<?>, Object> objects() {
        int[] self = {0};
        Map<Class<?>, Object> objects = new LinkedHashMap<>();
        // Neighbour collectives need a topology; here the rank is its own only neighbour.
        objects.put(Comm.class, MPI.COMM_WORLD.createDistGraphAdjacent(self, self, new Info(), false));
        objects.put(Intracomm.class, MPI.COMM_WORLD.dup());
        objects.put(CartComm.class, MPI.COMM_WORLD.createCart(new int[] {1}, new boolean[] {true}, false));
        objects.put(GraphComm.class, MPI.COMM_WORLD.createGraph(new int[] {0}, new int[0], false));
        objects.put(Datatype.class, Datatype.createContiguous(2, MPI.INT));
        objects.put(Group.class, MPI.COMM_WORLD.getGroup());
        objects.put(Info.class, new Info());
        objects.put(
                Op.class,
                new Op(
                        new UserFunction() {
                            @Override
                            public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                                // Never called.
                            }
                        },
                        true));
        objects.put(Request.class, MPI.REQUEST_NULL);
        objects.put(Prequest.class, MPI.COMM_WORLD.sendInit(MPI.newIntBuffer(1), 1, MPI.INT, 0, 0));
        int[] one = new int[1];
        objects.put(Status.class, MPI.COMM_WORLD.sendRecv(one, 1, MPI.INT, 0, 0, new int[1], 1, MPI.INT, 0, 0));
        MPI.COMM_WORLD.send(one, 1, MPI.INT, 0, 0);
        Message message = new Message();
        message.mProbe(0, 0, MPI.COMM_WORLD);
        objects.put(Message.class, message);
        objects.put(Struct.class, new Pair());
        objects.put(Count.class, new Count(1));
        objects.put(CartParms.class, ((CartComm) objects.get(CartComm.class)).getTopo());
        objects.put(GraphParms.class, ((GraphComm) objects.get(GraphComm.class)).getDims());
        objects.put(DistGraphNeighbors.class, ((GraphComm) objects.get(Comm.class)).getDistGraphNeighbors());
        objects.put(FloatComplex.class, FloatComplex.get(new float[2]));
        objects.put(DoubleComplex.class, DoubleComplex.get(new double[2]));
        return objects;
    }

    private static final class Pair extends Struct {
        private final int first = addInt();

        final class PairData extends Struct.Data {
            int getFirst() {
                return getInt(first);
            }
        }

        @Override
        protected PairData newData() {
            return new PairData();
        }
    }
}
