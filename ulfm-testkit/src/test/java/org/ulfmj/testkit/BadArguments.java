package org.ulfmj.testkit;

import java.lang.reflect.Parameter;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import mpi.AgreeMode;
import mpi.AttributeCopy;
import mpi.AttributeDelete;
import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.Errhandler;
import mpi.ErrhandlerFunction;
import mpi.Group;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Struct;
import mpi.UserFunction;

/**
 * A table of bad arguments: by type and name of a parameter (with its call where only that decides), values that the
 * tried calls of package {@code mpi} must refuse, in a group of one rank, with the error classes that they may raise. A
 * parameter of a tried call that the table does not have is an error of the test.
 */
final class BadArguments {
    /**
     * Stands among the error classes for an {@link IllegalArgumentException}, which some calls raise in the place of an
     * error of MPI.
     */
    static final int ILLEGAL_ARGUMENT = -1;

    /** One bad value. */
    record Bad(Object value, int... errorClasses) {
        boolean allows(int errorClass) {
            return Arrays.stream(errorClasses).anyMatch(each -> each == errorClass);
        }

        /**
         * Whether a message contains the bad value, or of an array the first element, or 0 as its length. True for a
         * value that has no distinct text.
         */
        boolean isSaidIn(String message) {
            if (value == null) {
                return message.contains("null");
            } else if (value instanceof Integer number) {
                return message.contains(" " + number);
            } else if (value instanceof int[] numbers) {
                return message.contains(numbers.length == 0 ? " 0 " : " " + numbers[0]);
            }
            return true;
        }

        @Override
        public String toString() {
            return value instanceof int[] numbers
                    ? Arrays.toString(numbers)
                    : value instanceof Object[] objects ? Arrays.toString(objects) : String.valueOf(value);
        }
    }

    private record Row(Class<?> type, Pattern names, List<Bad> values) {}

    private final List<Row> rows = new ArrayList<>();

    BadArguments() {
        Datatype uncommitted = Datatype.createContiguous(1, MPI.INT);
        numbers();
        arrays();
        buffers();
        Bad[] types = {
            new Bad(null, MPI.ERR_TYPE), new Bad(MPI.DATATYPE_NULL, MPI.ERR_TYPE), new Bad(freedType(), MPI.ERR_TYPE)
        };
        row(Datatype.class, "oldType|(packSize|getCount|getElementsX?|setElementsX?|addData)\\.type", types);
        row(
                Datatype.class,
                "type|sendtype|recvtype",
                types[0],
                types[1],
                types[2],
                new Bad(uncommitted, MPI.ERR_TYPE),
                new Bad(MPI.DOUBLE, MPI.ERR_BUFFER, ILLEGAL_ARGUMENT));
        row(
                Datatype[].class,
                "sendtypes|recvtypes|types",
                new Bad(null, MPI.ERR_TYPE, MPI.ERR_ARG),
                new Bad(new Datatype[0], MPI.ERR_TYPE, MPI.ERR_ARG),
                new Bad(new Datatype[1], MPI.ERR_TYPE),
                new Bad(new Datatype[] {freedType()}, MPI.ERR_TYPE));
        row(Op.class, "op", new Bad(null, MPI.ERR_OP), new Bad(freedOperator(), MPI.ERR_OP));
        row(Comm.class, "comm.?|localComm", new Bad(null, MPI.ERR_COMM), new Bad(freedCommunicator(), MPI.ERR_COMM));
        row(Group.class, "group.?", new Bad(null, MPI.ERR_GROUP), new Bad(freedGroup(), MPI.ERR_GROUP));
        row(Info.class, "info", new Bad(null, MPI.ERR_INFO, MPI.ERR_ARG), new Bad(freedInfo(), MPI.ERR_INFO));
        row(Request[].class, "requests", new Bad(null, MPI.ERR_REQUEST), new Bad(new Request[1], MPI.ERR_REQUEST));
        row(Prequest[].class, "requests", new Bad(null, MPI.ERR_REQUEST), new Bad(new Prequest[1], MPI.ERR_REQUEST));
        row(String.class, "key", new Bad(null, MPI.ERR_INFO_KEY), new Bad("", MPI.ERR_INFO_KEY));
        row(
                String.class,
                "value",
                new Bad(null, MPI.ERR_INFO_VALUE),
                new Bad("x".repeat(MPI.MAX_INFO_VAL + 1), MPI.ERR_INFO_VALUE));
        row(String.class, "name", new Bad(null, MPI.ERR_ARG));
        row(Errhandler.class, "errhandler", new Bad(null, MPI.ERR_ARG));
        row(ErrhandlerFunction.class, "function", new Bad(null, MPI.ERR_ARG));
        row(AttributeCopy.class, "copy", new Bad(null, MPI.ERR_ARG));
        row(AttributeDelete.class, "delete", new Bad(null, MPI.ERR_ARG));
        row(AgreeMode.class, "mode", new Bad(null, MPI.ERR_ARG));
        row(Count.class, "count", new Bad(null, MPI.ERR_COUNT));
        row(Struct.class, "struct", new Bad(null, MPI.ERR_ARG));
        row(Runnable.class, "task", new Bad(null, MPI.ERR_ARG));
        row(boolean.class, ".*");
        row(long.class, "count");
        row(float.class, "real|imag");
        row(double.class, "real|imag");
        row(Object.class, "value|other");
    }

    private void numbers() {
        numbers("dest|source|rank|localLeader|remoteLeader", MPI.ERR_RANK, -7, Integer.MAX_VALUE);
        numbers("root", MPI.ERR_ROOT, -7, Integer.MAX_VALUE);
        numbers("tag|sendtag|recvtag", MPI.ERR_TAG, -7);
        numbers("sendcount|recvcount|incount|outcount", MPI.ERR_COUNT, -7);
        row(int.class, "count", new Bad(-7, MPI.ERR_COUNT, MPI.ERR_ARG));
        numbers("keyval", MPI.ERR_KEYVAL, -7, Integer.MAX_VALUE);
        numbers("direction|nnodes", MPI.ERR_DIMS, -7);
        numbers("splitType", MPI.ERR_ARG, -7, Integer.MAX_VALUE);
        numbers("colour|blockLength|length|i|position", MPI.ERR_ARG, -7);
        row(int.class, "offset", new Bad(-7, MPI.ERR_ARG, ILLEGAL_ARGUMENT));
        row(int.class, "capacity", new Bad(-7, ILLEGAL_ARGUMENT));
        row(int.class, "index", new Bad(-7, MPI.ERR_BUFFER));
        row(int.class, "key|flag|stride|lb|extent|disp|error|level");
    }

    private void numbers(String names, int errorClass, int... values) {
        Bad[] bad = Arrays.stream(values)
                .mapToObj(value -> new Bad(value, errorClass))
                .toArray(Bad[]::new);
        row(int.class, names, bad);
    }

    private void arrays() {
        arrays("sendcount|recvcount|recvcounts", MPI.ERR_COUNT, null, new int[0], new int[] {-1});
        row(
                int[].class,
                "displs|sdispls|rdispls",
                new Bad(null, MPI.ERR_ARG),
                new Bad(new int[0], MPI.ERR_ARG),
                new Bad(new int[] {100}, MPI.ERR_BUFFER));
        arrays("sources|degrees|destinations|index", MPI.ERR_ARG, null, new int[] {-1}, new int[] {100});
        arrays("weights|sourceWeights|destWeights", MPI.ERR_ARG, null, new int[0], new int[] {-1});
        row(int[].class, "dims", new Bad(null, MPI.ERR_ARG), new Bad(new int[] {-1}, MPI.ERR_DIMS));
        arrays("coords|blockLengths|displacements|flag", MPI.ERR_ARG, null, new int[0]);
        row(
                int[].class,
                "ranks1?",
                new Bad(null, MPI.ERR_ARG),
                new Bad(new int[] {-1}, MPI.ERR_RANK),
                new Bad(new int[] {100}, MPI.ERR_RANK));
        // No bad value: the good arguments describe a graph of one node without edges.
        row(int[].class, "edges");
        row(
                int[][].class,
                "ranges",
                new Bad(null, MPI.ERR_ARG),
                new Bad(new int[1][], MPI.ERR_ARG),
                new Bad(new int[][] {{0}}, MPI.ERR_ARG),
                new Bad(new int[][] {{0, 9, 1}}, MPI.ERR_RANK));
        row(boolean[].class, "periods|remainDims", new Bad(null, MPI.ERR_ARG), new Bad(new boolean[0], MPI.ERR_ARG));
    }

    private void arrays(String names, int errorClass, int[]... values) {
        Bad[] bad =
                Arrays.stream(values).map(value -> new Bad(value, errorClass)).toArray(Bad[]::new);
        row(int[].class, names, bad);
    }

    private void buffers() {
        row(
                Object.class,
                "\\w*buf",
                new Bad(null, MPI.ERR_BUFFER),
                new Bad("text", MPI.ERR_BUFFER),
                new Bad(new int[0], MPI.ERR_BUFFER),
                new Bad(new long[8], MPI.ERR_BUFFER));
        row(
                Buffer.class,
                "\\w*buf",
                new Bad(null, ILLEGAL_ARGUMENT),
                new Bad(LongBuffer.allocate(8), ILLEGAL_ARGUMENT),
                new Bad(MPI.newIntBuffer(0), MPI.ERR_BUFFER));
        for (Class<?> viewed : List.of(ByteBuffer.class, FloatBuffer.class, DoubleBuffer.class)) {
            row(viewed, "buffer", new Bad(null, MPI.ERR_BUFFER));
        }
        row(float[].class, "array", new Bad(null, MPI.ERR_BUFFER));
        row(double[].class, "array", new Bad(null, MPI.ERR_BUFFER));
        row(IntBuffer.class, "flag", new Bad(null, ILLEGAL_ARGUMENT), new Bad(MPI.newIntBuffer(0), MPI.ERR_ARG));
        row(byte[].class, "inbuf|outbuf|array|buffer", new Bad(null, MPI.ERR_BUFFER));
        for (Class<?> sliced : SLICED) {
            row(sliced, "buf", new Bad(null, ILLEGAL_ARGUMENT));
        }
    }

    private static final List<Class<?>> SLICED = List.of(
            ByteBuffer.class,
            CharBuffer.class,
            ShortBuffer.class,
            IntBuffer.class,
            LongBuffer.class,
            FloatBuffer.class,
            DoubleBuffer.class,
            byte[].class,
            char[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class);

    private void row(Class<?> type, String names, Bad... values) {
        rows.add(new Row(type, Pattern.compile(names), List.of(values)));
    }

    /** The bad values of a parameter; none if it can have no bad value. Throws if the table does not have it. */
    List<Bad> of(Parameter parameter) {
        String call = parameter.getDeclaringExecutable().getName();
        for (Row row : rows) {
            if (row.type() == parameter.getType()
                    && (row.names().matcher(parameter.getName()).matches()
                            || row.names()
                                    .matcher(call + "." + parameter.getName())
                                    .matches())) {
                return row.values();
            }
        }
        throw new AssertionError(
                "the table of bad arguments has no row for " + parameter + " of " + parameter.getDeclaringExecutable());
    }

    /** A value that the call takes, together with the good values of its other parameters. */
    static Object good(Parameter parameter) {
        Class<?> type = parameter.getType();
        String name = parameter.getName();
        if (type == int.class) {
            return name.contains("count") || name.equals("nnodes") ? 1 : 0;
        } else if (type == int[].class) {
            return new int[] {name.contains("count") || name.equals("degrees") || name.equals("dims") ? 1 : 0};
        } else if (type == boolean.class) {
            return false;
        } else if (type == Object.class) {
            return new int[8];
        } else if (type == Datatype.class) {
            return MPI.INT;
        } else if (type == Op.class) {
            return MPI.SUM;
        } else if (type == Comm.class) {
            return MPI.COMM_WORLD;
        } else if (type == Group.class) {
            return MPI.COMM_WORLD.getGroup();
        } else if (type == Info.class) {
            return new Info();
        } else if (type == String.class) {
            return "a";
        } else if (type == Count.class) {
            return new Count(1);
        } else if (type == AgreeMode.class) {
            return AgreeMode.values()[0];
        } else if (type == Runnable.class) {
            return (Runnable) () -> {};
        } else if (type == AttributeCopy.class) {
            return (AttributeCopy<?>) (object, keyval, value) -> value;
        } else if (type == Struct.class) {
            return new OneByte();
        }
        return goodArrayOrBuffer(type);
    }

    private static Object goodArrayOrBuffer(Class<?> type) {
        if (type == ByteBuffer.class) {
            return MPI.newByteBuffer(64);
        } else if (type == Buffer.class || type == IntBuffer.class) {
            return MPI.newIntBuffer(8);
        } else if (type == CharBuffer.class) {
            return MPI.newCharBuffer(8);
        } else if (type == ShortBuffer.class) {
            return MPI.newShortBuffer(8);
        } else if (type == LongBuffer.class) {
            return MPI.newLongBuffer(8);
        } else if (type == FloatBuffer.class) {
            return MPI.newFloatBuffer(8);
        } else if (type == DoubleBuffer.class) {
            return MPI.newDoubleBuffer(8);
        } else if (type == boolean[].class) {
            return new boolean[1];
        } else if (type == Datatype[].class) {
            return new Datatype[] {MPI.INT};
        } else if (type == Request[].class) {
            return new Request[] {MPI.REQUEST_NULL};
        } else if (type == int[][].class) {
            return new int[][] {{0, 0, 1}};
        }
        return type.isArray() ? java.lang.reflect.Array.newInstance(type.getComponentType(), 64) : null;
    }

    private static Datatype freedType() {
        Datatype type = Datatype.createContiguous(1, MPI.INT);
        type.commit();
        type.free();
        return type;
    }

    private static Op freedOperator() {
        Op op = new Op(
                new UserFunction() {
                    @Override
                    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                        // Never called.
                    }
                },
                true);
        op.free();
        return op;
    }

    private static Comm freedCommunicator() {
        Intracomm comm = MPI.COMM_WORLD.dup();
        comm.free();
        return comm;
    }

    private static Group freedGroup() {
        Group group = MPI.COMM_WORLD.getGroup();
        group.free();
        return group;
    }

    private static Info freedInfo() {
        Info info = new Info();
        info.free();
        return info;
    }

    private static final class OneByte extends Struct {
        OneByte() {
            addByte();
        }

        @Override
        protected Data newData() {
            throw new AssertionError("not asked for");
        }
    }
}
