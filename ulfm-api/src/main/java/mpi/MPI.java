package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.error.CallError;

/**
 * The constants of MPI and what concerns the whole process: {@link #Init}, {@link #Finalize}, buffers, clocks, threads.
 * MPI 3.1: chapter 8, and section 12.4 for threads. Most methods name their MPI function.
 *
 * <p>Numbers are those of Open MPI. All methods may be called by any thread. Buffers may be made before {@link #Init};
 * a method that needs the rank throws, before {@link #Init} or after {@link #Finalize}, an {@link MPIException} of
 * class {@link #ERR_OTHER}. The error handler is not asked.
 */
public final class MPI {
    // The thread levels of MPI; the library always provides THREAD_MULTIPLE.

    /** Only one thread runs. */
    public static final int THREAD_SINGLE = 0;

    /** Only the thread that called Init calls MPI. */
    public static final int THREAD_FUNNELED = 1;

    /** Threads call MPI one at a time. */
    public static final int THREAD_SERIALIZED = 2;

    /** All threads may call MPI at any time. */
    public static final int THREAD_MULTIPLE = 3;

    // Ranks and tags

    /** As a source: a message from any rank is received. */
    public static final int ANY_SOURCE = -1;

    /** As a tag: a message with any tag is received. */
    public static final int ANY_TAG = -1;

    /** No rank: a send or receive that does nothing. */
    public static final int PROC_NULL = -2;

    /**
     * In place of a root, in a collective operation of an {@link Intercomm}: the caller is the root. The other ranks of
     * its group give {@link #PROC_NULL}, those of the other group the root's rank.
     */
    public static final int ROOT = -4;

    /** Stands for "none" where a rank, a colour or a count is expected. */
    public static final int UNDEFINED = -32766;

    /** From {@link Comm#getTopology}: a Cartesian grid. */
    public static final int CART = 1;

    /** From {@link Comm#getTopology}: a graph that each rank knows whole. */
    public static final int GRAPH = 2;

    /** From {@link Comm#getTopology}: a graph of which each rank knows its own edges. */
    public static final int DIST_GRAPH = 3;

    // Results of comparisons

    /** The two communicators, or groups, are the same. */
    public static final int IDENT = 0;

    /** The communicators have the same processes in the same order, but are not the same. */
    public static final int CONGRUENT = 1;

    /** The communicators, or groups, have the same processes in another order. */
    public static final int SIMILAR = 2;

    /** The communicators, or groups, have different processes. */
    public static final int UNEQUAL = 3;

    // Versions and limits

    /** The major number of the MPI version: the 3 of MPI 3.1, as in Open MPI 5. */
    public static final int VERSION = 3;

    /** The 1 of MPI 3.1. */
    public static final int SUBVERSION = 1;

    /** The most characters of a name. */
    public static final int MAX_OBJECT_NAME = 64;

    /** The most characters of the name of a data representation. */
    public static final int MAX_DATAREP_STRING = 128;

    /** The most characters of an info key. */
    public static final int MAX_INFO_KEY = 36;

    /** The most characters of an info value. */
    public static final int MAX_INFO_VAL = 256;

    /** The bytes that a buffered message occupies in the attached buffer beside its content. */
    public static final int BSEND_OVERHEAD = 128;

    // Keys of predefined attributes

    /** No key of an attribute. */
    public static final int KEYVAL_INVALID = -1;

    /** Attribute of {@link #COMM_WORLD}: the highest tag. */
    public static final int TAG_UB = 0;

    /** Attribute of {@link #COMM_WORLD}: the rank of a host process; there is none, so {@link #PROC_NULL}. */
    public static final int HOST = 1;

    /** Attribute of {@link #COMM_WORLD}: the rank that can do input and output; {@link #ANY_SOURCE}, for all can. */
    public static final int IO = 2;

    /** Attribute of {@link #COMM_WORLD}: whether {@link #wtime} is the same at all ranks, which it is not. */
    public static final int WTIME_IS_GLOBAL = 3;

    /** Attribute of {@link #COMM_WORLD}: the number of the program in the job; 0, as a job has one program. */
    public static final int APPNUM = 4;

    /** Attribute of {@link #COMM_WORLD}: the highest error class, {@link #ERR_LASTCODE}. */
    public static final int LASTUSEDCODE = 5;

    /** Attribute of {@link #COMM_WORLD}: how many processes the job can have; here the size of the world now. */
    public static final int UNIVERSE_SIZE = 6;

    // Array layouts and file positions

    /** An array lies row by row. */
    public static final int ORDER_C = 0;

    /** An array lies column by column. */
    public static final int ORDER_FORTRAN = 1;

    /** An array is distributed in blocks. */
    public static final int DISTRIBUTE_BLOCK = 0;

    /** Elements of an array are distributed to ranks in turn. */
    public static final int DISTRIBUTE_CYCLIC = 1;

    /** An array is not distributed. */
    public static final int DISTRIBUTE_NONE = 2;

    /** The usual block size. */
    public static final int DISTRIBUTE_DFLT_DARG = -1;

    /** The current file position. */
    public static final int DISPLACEMENT_CURRENT = -54278278;

    // Error classes

    /** No error. */
    public static final int SUCCESS = 0;

    /** A buffer is null, too small, read-only or of the wrong kind. */
    public static final int ERR_BUFFER = 1;

    /** A count is not allowed. */
    public static final int ERR_COUNT = 2;

    /** A datatype is not allowed. */
    public static final int ERR_TYPE = 3;

    /** A tag is not allowed. */
    public static final int ERR_TAG = 4;

    /** A communicator is null or not allowed here. */
    public static final int ERR_COMM = 5;

    /** A rank is out of range. */
    public static final int ERR_RANK = 6;

    /** A request is not allowed here. */
    public static final int ERR_REQUEST = 7;

    /** A root is out of range. */
    public static final int ERR_ROOT = 8;

    /** A group is null or has processes that do not belong here. */
    public static final int ERR_GROUP = 9;

    /** An operator does not combine items of the datatype. */
    public static final int ERR_OP = 10;

    /** A topology is not allowed here. */
    public static final int ERR_TOPOLOGY = 11;

    /** Dimensions are not allowed. */
    public static final int ERR_DIMS = 12;

    /** Another argument is not allowed, or ranks called different collective recovery operations. */
    public static final int ERR_ARG = 13;

    /** An error of unknown class. */
    public static final int ERR_UNKNOWN = 14;

    /** A message is longer than the buffer that was to receive it. */
    public static final int ERR_TRUNCATE = 15;

    /** An error of no other class; the message says what happened. */
    public static final int ERR_OTHER = 16;

    /** An error inside this library. */
    public static final int ERR_INTERN = 17;

    /** The statuses say how each of several operations ended. */
    public static final int ERR_IN_STATUS = 18;

    /** In a status: the operation is still under way. */
    public static final int ERR_PENDING = 19;

    /** Permission denied. */
    public static final int ERR_ACCESS = 20;

    /** A file access mode is not allowed. */
    public static final int ERR_AMODE = 21;

    /** An assertion argument is not allowed. */
    public static final int ERR_ASSERT = 22;

    /** A file name is not allowed. */
    public static final int ERR_BAD_FILE = 23;

    /** A base address is not allowed. */
    public static final int ERR_BASE = 24;

    /** A data conversion failed. */
    public static final int ERR_CONVERSION = 25;

    /** A displacement is not allowed. */
    public static final int ERR_DISP = 26;

    /** A data representation is defined twice. */
    public static final int ERR_DUP_DATAREP = 27;

    /** The file exists. */
    public static final int ERR_FILE_EXISTS = 28;

    /** The file is in use. */
    public static final int ERR_FILE_IN_USE = 29;

    /** An info key is null, empty or too long, or there is no key of that number. */
    public static final int ERR_INFO_KEY = 31;

    /** There is no such info key. */
    public static final int ERR_INFO_NOKEY = 32;

    /** An info value is null, empty, too long or not allowed. */
    public static final int ERR_INFO_VALUE = 33;

    /** An info object is not allowed. */
    public static final int ERR_INFO = 34;

    /** An input or output error. */
    public static final int ERR_IO = 35;

    /** An attribute key is not allowed. */
    public static final int ERR_KEYVAL = 36;

    /** A lock type is not allowed. */
    public static final int ERR_LOCKTYPE = 37;

    /** There is no such service name. */
    public static final int ERR_NAME = 38;

    /** Out of memory. */
    public static final int ERR_NO_MEM = 39;

    /** An argument differs between ranks. */
    public static final int ERR_NOT_SAME = 40;

    /** No space is left. */
    public static final int ERR_NO_SPACE = 41;

    /** There is no such file. */
    public static final int ERR_NO_SUCH_FILE = 42;

    /** A port name is not allowed. */
    public static final int ERR_PORT = 43;

    /** A quota is exceeded. */
    public static final int ERR_QUOTA = 44;

    /** The file is read-only. */
    public static final int ERR_READ_ONLY = 45;

    /** Conflicting accesses to a window. */
    public static final int ERR_RMA_CONFLICT = 46;

    /** Wrong synchronization of a window. */
    public static final int ERR_RMA_SYNC = 47;

    /** A service name is not allowed. */
    public static final int ERR_SERVICE = 48;

    /** A size is not allowed. */
    public static final int ERR_SIZE = 49;

    /** Processes could not be started. */
    public static final int ERR_SPAWN = 50;

    /** The data representation is not supported. */
    public static final int ERR_UNSUPPORTED_DATAREP = 51;

    /** The operation is not supported. */
    public static final int ERR_UNSUPPORTED_OPERATION = 52;

    /** The calling process takes no part in the job any more; see {@link ProcAbortedException}. */
    public static final int ERR_PROC_ABORTED = 74;

    /** A process has failed; see {@link ProcFailedException}. */
    public static final int ERR_PROC_FAILED = 75;

    /** A failure holds a request up; see {@link ProcFailedPendingException}. */
    public static final int ERR_PROC_FAILED_PENDING = 76;

    /** The communicator is revoked; see {@link RevokedException}. */
    public static final int ERR_REVOKED = 77;

    /** The highest error class. */
    public static final int ERR_LASTCODE = 92;

    /** Out of a system resource. */
    public static final int ERR_SYSRESOURCE = -2;

    // Error handlers

    /** An error ends the job. */
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler("ERRORS_ARE_FATAL");

    /** An error ends the job as {@link Comm#abort} does. */
    public static final Errhandler ERRORS_ABORT = new Errhandler("ERRORS_ABORT");

    /** An error is thrown as an {@link MPIException}. */
    public static final Errhandler ERRORS_RETURN = new Errhandler("ERRORS_RETURN");

    // Datatypes

    /** No datatype. */
    public static final Datatype DATATYPE_NULL = new Datatype("DATATYPE_NULL", null);

    /** One byte; unsigned where it is compared. */
    public static final Datatype BYTE = new Datatype("BYTE", BaseType.BYTE);

    /** 16 bits, unsigned. */
    public static final Datatype CHAR = new Datatype("CHAR", BaseType.CHAR);

    /** 16 bits. */
    public static final Datatype SHORT = new Datatype("SHORT", BaseType.SHORT);

    /** One byte: 0 or 1. */
    public static final Datatype BOOLEAN = new Datatype("BOOLEAN", BaseType.BOOLEAN);

    /** 32 bits. */
    public static final Datatype INT = new Datatype("INT", BaseType.INT);

    /** 64 bits. */
    public static final Datatype LONG = new Datatype("LONG", BaseType.LONG);

    /** 32 bits, floating point. */
    public static final Datatype FLOAT = new Datatype("FLOAT", BaseType.FLOAT);

    /** 64 bits, floating point. */
    public static final Datatype DOUBLE = new Datatype("DOUBLE", BaseType.DOUBLE);

    /** Bytes that {@link Comm#pack} wrote; goes with {@code byte[]} and {@link ByteBuffer}. */
    public static final Datatype PACKED = Datatype.packed();

    /** A complex number of two {@code float}s; see {@link FloatComplex}. */
    public static final Datatype FLOAT_COMPLEX =
            Datatype.combined("FLOAT_COMPLEX", BaseType.FLOAT, 2 * Float.BYTES, false);

    /** A complex number of two {@code double}s; see {@link DoubleComplex}. */
    public static final Datatype DOUBLE_COMPLEX =
            Datatype.combined("DOUBLE_COMPLEX", BaseType.DOUBLE, 2 * Double.BYTES, false);

    /** A pair of two {@code int}s, a value and an index; see {@link #int2}. */
    public static final Datatype INT2 = Datatype.combined("INT2", BaseType.BYTE, 8, false);

    /** A pair of a {@code short} and an {@code int} index; see {@link #shortInt}. */
    public static final Datatype SHORT_INT = Datatype.combined("SHORT_INT", BaseType.BYTE, 6, true);

    /** A pair of a {@code long} and an {@code int} index; see {@link #longInt}. */
    public static final Datatype LONG_INT = Datatype.combined("LONG_INT", BaseType.BYTE, 12, true);

    /** A pair of a {@code float} and an {@code int} index; see {@link #floatInt}. */
    public static final Datatype FLOAT_INT = Datatype.combined("FLOAT_INT", BaseType.BYTE, 8, false);

    /** A pair of a {@code double} and an {@code int} index; see {@link #doubleInt}. */
    public static final Datatype DOUBLE_INT = Datatype.combined("DOUBLE_INT", BaseType.BYTE, 12, true);

    // Views of pairs

    /** The struct of {@link #INT2}, for views of pairs in a buffer. */
    public static final Int2 int2 = new Int2();

    /** The struct of {@link #SHORT_INT}, for views of pairs in a buffer. */
    public static final ShortInt shortInt = new ShortInt();

    /** The struct of {@link #LONG_INT}, for views of pairs in a buffer. */
    public static final LongInt longInt = new LongInt();

    /** The struct of {@link #FLOAT_INT}, for views of pairs in a buffer. */
    public static final FloatInt floatInt = new FloatInt();

    /** The struct of {@link #DOUBLE_INT}, for views of pairs in a buffer. */
    public static final DoubleInt doubleInt = new DoubleInt();

    // Operators

    /** Maximum; a NaN wins. */
    public static final Op MAX = new Op(Operator.MAX);

    /** Minimum; a NaN wins. */
    public static final Op MIN = new Op(Operator.MIN);

    /** Sum; whole numbers wrap. */
    public static final Op SUM = new Op(Operator.SUM);

    /** Product; whole numbers wrap. */
    public static final Op PROD = new Op(Operator.PROD);

    /** Logical AND: 1 if both are not 0, else 0. */
    public static final Op LAND = new Op(Operator.LAND);

    /** Bitwise AND. */
    public static final Op BAND = new Op(Operator.BAND);

    /** Logical OR: 1 if at least one is not 0, else 0. */
    public static final Op LOR = new Op(Operator.LOR);

    /** Bitwise OR. */
    public static final Op BOR = new Op(Operator.BOR);

    /** Logical XOR: 1 if exactly one is not 0, else 0. */
    public static final Op LXOR = new Op(Operator.LXOR);

    /** Bitwise XOR. */
    public static final Op BXOR = new Op(Operator.BXOR);

    /**
     * Of two pairs, the smaller value with its index; of equal values the pair with the smaller index. A NaN wins, of
     * several the one with the smallest index. For {@link #DOUBLE_INT} and the like.
     */
    public static final Op MINLOC = new Op(Operator.MINLOC);

    /** As {@link #MINLOC}, the larger value. */
    public static final Op MAXLOC = new Op(Operator.MAXLOC);

    /** Takes the new value; for windows only. */
    public static final Op REPLACE = new Op(Operator.REPLACE);

    /** Keeps the old value; for windows only. */
    public static final Op NO_OP = new Op(Operator.NO_OP);

    // Null objects

    /** No operation. */
    public static final Request REQUEST_NULL = new Request();

    /** The group of no rank. */
    public static final Group GROUP_EMPTY = new Group(ProcessList.EMPTY);

    /** No hints. */
    public static final Info INFO_NULL = Info.ofNothing();

    /**
     * With what the rank of the calling thread was started, as far as that is known: the keys {@code command} (the main
     * class), {@code argv} (its arguments), {@code maxprocs}, {@code host}, {@code arch}, {@code wdir} and
     * {@code thread_level}. Can be read after {@link #Init}, and not be changed.
     */
    public static final Info INFO_ENV = Info.ofEnvironment();

    // Communicators

    /** All ranks of the job. The object stands for the world of the rank that the calling thread works for. */
    public static final Intracomm COMM_WORLD = new Intracomm.World();

    /** One rank alone: the rank that the calling thread works for. */
    public static final Intracomm COMM_SELF = new Intracomm.Self();

    private static final double SECONDS_PER_NANOSECOND = 1e-9;

    /**
     * No program needs an object of this class. The constructor is public because Open MPI's bindings let programs make
     * one.
     */
    public MPI() {}

    // Life cycle

    /**
     * Makes this process a rank of the job that {@code mpiexec} started, or of a job of one where there is none, and
     * waits until all ranks are there. To be called once, before any other communication. The calling thread is the
     * main thread.
     *
     * <p>{@code MPI_Init}, MPI 3.1 section 8.7.
     *
     * @param args the arguments of {@code main}
     * @return the arguments without those for MPI; there are none, so the same array
     * @throws MPIException if it was called before, or the job could not be joined
     */
    public static String[] Init(String[] args) {
        Start.init("Init");
        return args;
    }

    /**
     * As {@link #Init}.
     *
     * <p>{@code MPI_Init_thread}, MPI 3.1 section 12.4.3.
     *
     * @param required the thread level that the program needs, {@link #THREAD_SINGLE} to {@link #THREAD_MULTIPLE}
     * @return the level provided: {@link #THREAD_MULTIPLE}
     */
    public static int InitThread(String[] args, int required) {
        if (required < THREAD_SINGLE || required > THREAD_MULTIPLE) {
            throw new MPIException(
                    ERR_ARG,
                    "InitThread: required is " + required + "; allowed: MPI.THREAD_SINGLE (" + THREAD_SINGLE
                            + ") to MPI.THREAD_MULTIPLE (" + THREAD_MULTIPLE + ")");
        }
        Start.init("InitThread");
        return THREAD_MULTIPLE;
    }

    /**
     * The thread level provided: {@link #THREAD_MULTIPLE}.
     *
     * <p>{@code MPI_Query_thread}, MPI 3.1 section 12.4.3.
     */
    public static int queryThread() {
        rank("queryThread");
        return THREAD_MULTIPLE;
    }

    /**
     * Whether the calling thread is the one that called {@link #Init}.
     *
     * <p>{@code MPI_Is_thread_main}, MPI 3.1 section 12.4.3.
     */
    public static boolean isThreadMain() {
        return rank("isThreadMain").mainThread() == Thread.currentThread();
    }

    /**
     * Ends this rank's part in the job once all ranks that live have come here too; communication is over afterwards,
     * but the process goes on. Failed ranks and revoked communicators do not keep it from ending. Before that, the
     * attributes of {@link #COMM_SELF} are deleted, the one that was set last before the others; if an
     * {@link AttributeDelete} throws, this call throws that exception, and this rank is not finalized. Then it waits,
     * as {@link #detachBuffer} does, until buffered messages have left.
     *
     * <p>{@code MPI_Finalize}, MPI 3.1 section 8.7.
     *
     * @throws MPIException of class {@link #ERR_ARG} if others are in another collective recovery call such as
     *     {@link Comm#shrink} on {@link #COMM_WORLD}; this rank is then not finalized
     */
    public static void Finalize() {
        Start.finish(rank("Finalize"));
    }

    /**
     * Whether {@link #Init} was called, also after {@link #Finalize}. Never fails. Where ranks are threads it speaks of
     * the rank that the calling thread works for, and is false for a thread that works for none.
     *
     * <p>{@code MPI_Initialized}, MPI 3.1 section 8.7.
     */
    public static boolean isInitialized() {
        Rank rank = Ranks.currentOrNull();
        return rank != null && rank.mainThread() != null;
    }

    /**
     * Whether {@link #Finalize} has returned. Never fails.
     *
     * <p>{@code MPI_Finalized}, MPI 3.1 section 8.7.2.
     */
    public static boolean isFinalized() {
        Rank rank = Ranks.currentOrNull();
        return rank != null && rank.isFinalized();
    }

    // Process and job

    /**
     * Seconds since some moment in the past, for differences on one rank. May be called before {@link #Init} and after
     * {@link #Finalize}.
     *
     * <p>{@code MPI_Wtime}, MPI 3.1 section 8.6.
     */
    public static double wtime() {
        Rank rank = Ranks.currentOrNull();
        return (rank == null ? System.nanoTime() : rank.runtime().programTimeNs()) * SECONDS_PER_NANOSECOND;
    }

    /**
     * The resolution of {@link #wtime} in seconds: one nanosecond.
     *
     * <p>{@code MPI_Wtick}, MPI 3.1 section 8.6.
     */
    public static double wtick() {
        rank("wtick");
        return SECONDS_PER_NANOSECOND;
    }

    /**
     * The version of the standard that this API follows. May be called at any time.
     *
     * <p>{@code MPI_Get_version}, MPI 3.1 section 8.1.1.
     */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /**
     * The name of this library, with its version where the library's package states one. May be called at any time.
     *
     * <p>{@code MPI_Get_library_version}, MPI 3.1 section 8.1.1.
     */
    public static String getLibVersion() {
        String version = MPI.class.getPackage().getImplementationVersion();
        return version == null ? "ULFM for Java" : "ULFM for Java " + version;
    }

    /**
     * The host's name.
     *
     * <p>{@code MPI_Get_processor_name}, MPI 3.1 section 8.1.2.
     */
    public static String getProcessorName() {
        rank("getProcessorName");
        return Host.name();
    }

    /**
     * Tells the job which iteration the program is in, as tests of recovery need it: {@code mpiexec --inject
     * 'kill:rank=2@iter=40'} kills rank 2 in its call with level 40. Does nothing else, and nothing at all before
     * {@link #Init} and after {@link #Finalize}.
     *
     * <p>{@code MPI_Pcontrol}, MPI 3.1 section 14.2.4.
     *
     * @param level the iteration
     * @param obj ignored
     */
    public static void pControl(int level, Object obj) {
        Rank rank = Ranks.currentOrNull();
        if (rank == null || rank.isFinalized() || !rank.isAdmitted()) {
            return;
        }
        rank.enter("pControl");
        try {
            rank.runtime().pControl(level);
        } catch (CallError fault) {
            throw Exceptions.of(COMM_WORLD, rank.world(), fault);
        }
    }

    /**
     * Sets what this rank does when {@code mpiexec} gets a signal: SIGUSR1, SIGUSR2, or one that its option
     * {@code --forward-signals} names. The signal itself would end a Java virtual machine, so it comes as a message.
     * The action runs once for each signal, on a separate thread, one after the other; it may call MPI. What it throws
     * is printed, and the rank goes on. A signal for which no action is set is told on stderr. SIGUSR1 sent to the
     * rank's own process, soon after {@link #Init} has returned, runs its action too; in a job without {@code mpiexec}
     * no other signal comes, and that one only once this was called. Local; returns at once.
     *
     * <p>No MPI function; batch systems announce the end of a job's time by such signals.
     *
     * @param name of the signal, as in {@code "USR1"} or {@code "SIGUSR1"}
     * @param action replaces the one that was set before; null for none
     * @throws MPIException of class {@code ERR_ARG} if the name is null or empty
     */
    public static void onSignal(String name, Runnable action) {
        Rank rank = rank("onSignal");
        String plain = name != null && name.startsWith("SIG") ? name.substring("SIG".length()) : name;
        if (plain == null || plain.isEmpty()) {
            throw Exceptions.withoutCommunicator("onSignal", ERR_ARG, "the name of the signal is missing");
        }
        rank.runtime().signals().handle(plain, action);
    }

    /**
     * Sets what this rank does when its process is to end: when the process or {@code mpiexec} gets SIGTERM, by which
     * batch systems take a machine back. The handler runs once, on a separate thread, and may call MPI as any thread
     * may. Then the rank leaves: what it has sent arrives, other threads' calls throw, the others know at once that it
     * has failed, its process ends with exit code 75, and {@code mpiexec --max-restarts} starts it again without
     * counting that as a restart. If the handler throws or takes too long, the process ends with exit code 143. After
     * {@link #Finalize} the signal ends the process as if there were no handler. Local; returns at once.
     *
     * <p>No MPI function.
     *
     * @param handler replaces the one that was set before; null for none: SIGTERM then ends the process at once
     * @throws MPIException of class {@code ERR_UNSUPPORTED_OPERATION} if the virtual machine passes on no signals
     *     ({@code -Xrs})
     */
    public static void onPreemption(PreemptionHandler handler) {
        Rank rank = rank("onPreemption");
        BoundPreemption bound = handler == null ? null : new BoundPreemption(RankBinding.current(), handler);
        if (!rank.runtime().signals().preemption().handle(bound)) {
            throw Exceptions.withoutCommunicator(
                    "onPreemption",
                    ERR_UNSUPPORTED_OPERATION,
                    "this process is not told of SIGTERM; is its virtual machine started with -Xrs?");
        }
    }

    /**
     * Returns the store of the job: small values that all ranks share, and that outlive every rank. Local; returns at
     * once. In a program that was started without {@code mpiexec} the store is the process's own.
     *
     * <p>No MPI function.
     */
    public static Store store() {
        Rank rank = rank("store");
        rank.checkNotFinalized("store");
        return rank.store();
    }

    // Fault tolerance

    /** Whether failures of processes are noticed and survived ({@code mpiexec --with-ft ulfm}, the default). */
    public static boolean hasFaultTolerance() {
        return rank("hasFaultTolerance").runtime().hasFaultTolerance();
    }

    /** Whether this process took the place in the job of one that failed. Stays true. */
    public static boolean isReplacement() {
        return rank("isReplacement").runtime().id().incarnation() > 0;
    }

    /**
     * Whether this process was let into a running world, under a new rank, as by {@link Intracomm#grow}. False for a
     * process that took the place of one that failed, see {@link #isReplacement}. Stays true.
     */
    public static boolean isNewcomer() {
        return rank("isNewcomer").runtime().isLetIn();
    }

    /**
     * How many processes {@link Intracomm#grow} would let into the world now, as far as this rank has heard. Processes
     * that wait and have no room, because the world has the most members that its job allows, do not count. Local;
     * returns at once. Other ranks may have heard of more or fewer: to decide together whether to grow, ranks combine
     * what they know, for instance by {@code allReduce}.
     */
    public static int numWaiting() {
        Rank rank = rank("numWaiting");
        rank.enter("numWaiting");
        try {
            return rank.runtime().waiting();
        } catch (CallError over) {
            throw Exceptions.thrown(over);
        }
    }

    /** How many processes had this rank's place in the job before this one: 0 for the first. */
    public static int getIncarnation() {
        return rank("getIncarnation").runtime().id().incarnation();
    }

    /**
     * A task that makes its MPI calls for the rank that the calling thread works for now, on every thread that runs the
     * task. Needed for tasks of a thread pool that ranks of one process share. Where a process is one rank it changes
     * nothing.
     */
    public static Runnable bindThread(Runnable task) {
        if (task == null) {
            throw Exceptions.withoutCommunicator("bindThread", ERR_ARG, "task is null; allowed: a Runnable");
        }
        rank("bindThread");
        return new BoundTask(RankBinding.current(), task);
    }

    /** Begins a call that needs a rank which is not finalized. */
    private static Rank rank(String operation) {
        Rank rank = Ranks.current(operation);
        rank.checkNotFinalized(operation);
        return rank;
    }

    // Buffers

    /**
     * Gives this rank a buffer for buffered sends ({@link Comm#bSend}, {@link Comm#ibSend}, {@link Comm#bSendInit}).
     * Its length limits them: each message that has not left occupies as many bytes as its content has and
     * {@link #BSEND_OVERHEAD} more. The content of the array does not change. Local.
     *
     * <p>{@code MPI_Buffer_attach}, MPI 3.1 section 3.6.
     *
     * @throws MPIException of class {@link #ERR_BUFFER} if {@code buffer} is null, or a buffer is attached already
     */
    public static void attachBuffer(byte[] buffer) {
        Rank rank = rank("attachBuffer");
        rank.enter("attachBuffer");
        if (buffer == null) {
            throw Exceptions.withoutCommunicator("attachBuffer", ERR_BUFFER, "buffer is null; allowed: a byte[]");
        }
        rank.attachBuffer(buffer);
    }

    /**
     * Takes the buffer for buffered sends back, once all messages in it have left; those to ranks that have failed or
     * finalized, and on communicators that are revoked, are not waited for. Blocking.
     *
     * <p>{@code MPI_Buffer_detach}, MPI 3.1 section 3.6.
     *
     * @return the buffer that was attached
     * @throws MPIException of class {@link #ERR_BUFFER} if none is attached, or another thread is detaching it
     */
    public static byte[] detachBuffer() {
        Rank rank = rank("detachBuffer");
        rank.enter("detachBuffer");
        return rank.detachBuffer();
    }

    /**
     * A new direct buffer of bytes in native order, all 0. May be called before {@link #Init}; if a large buffer is
     * made after {@link #Init}, large messages from this very object, or from a {@linkplain #slice(ByteBuffer, int)
     * slice} of it, to ranks of the same host can be copied once instead of twice. The same holds for the methods for
     * other types.
     */
    public static ByteBuffer newByteBuffer(int capacity) {
        return BufferMemory.allocate("newByteBuffer", capacity, Byte.BYTES);
    }

    /** A new direct buffer of chars in native order, all 0. May be called before {@link #Init}. */
    public static CharBuffer newCharBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newCharBuffer", capacity, Character.BYTES);
        return BufferMemory.viewed(bytes, bytes.asCharBuffer());
    }

    /** A new direct buffer of shorts in native order, all 0. May be called before {@link #Init}. */
    public static ShortBuffer newShortBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newShortBuffer", capacity, Short.BYTES);
        return BufferMemory.viewed(bytes, bytes.asShortBuffer());
    }

    /** A new direct buffer of ints in native order, all 0. May be called before {@link #Init}. */
    public static IntBuffer newIntBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newIntBuffer", capacity, Integer.BYTES);
        return BufferMemory.viewed(bytes, bytes.asIntBuffer());
    }

    /** A new direct buffer of longs in native order, all 0. May be called before {@link #Init}. */
    public static LongBuffer newLongBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newLongBuffer", capacity, Long.BYTES);
        return BufferMemory.viewed(bytes, bytes.asLongBuffer());
    }

    /** A new direct buffer of floats in native order, all 0. May be called before {@link #Init}. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newFloatBuffer", capacity, Float.BYTES);
        return BufferMemory.viewed(bytes, bytes.asFloatBuffer());
    }

    /** A new direct buffer of doubles in native order, all 0. May be called before {@link #Init}. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        ByteBuffer bytes = BufferMemory.allocate("newDoubleBuffer", capacity, Double.BYTES);
        return BufferMemory.viewed(bytes, bytes.asDoubleBuffer());
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        ByteBuffer slice = BufferMemory.at(buf, offset).slice().order(buf.order());
        return BufferMemory.sliced(buf, slice, offset, Byte.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Character.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Short.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Integer.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Long.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Float.BYTES);
    }

    /**
     * A buffer that starts at {@code offset} of {@code buf} and shares its content. The limit of {@code buf} becomes
     * its capacity and its position becomes {@code offset}, as in Open MPI's bindings.
     */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return BufferMemory.sliced(buf, BufferMemory.at(buf, offset).slice(), offset, Double.BYTES);
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return ByteBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset))
                .slice()
                .order(ByteOrder.nativeOrder());
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static CharBuffer slice(char[] buf, int offset) {
        return CharBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return ShortBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static IntBuffer slice(int[] buf, int offset) {
        return IntBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static LongBuffer slice(long[] buf, int offset) {
        return LongBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return FloatBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }

    /** A buffer that starts at {@code offset} of the array and shares its content. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return DoubleBuffer.wrap(buf, offset, BufferMemory.rest(buf, offset)).slice();
    }
}
