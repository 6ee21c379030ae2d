package org.ulfmj.launch.program;

import java.util.ArrayList;
import java.util.List;

/**
 * Options for the compilers of a rank's virtual machine about methods that messages and collectives pass through: which
 * of them are never inlined, and which are compiled later than others.
 *
 * <p>The second compiler inlines what a method calls, and compiles a hot method once for itself and once in each of its
 * callers. A message passes some twenty methods, all of which become hot at the same time, so the innermost would be
 * compiled twenty times: more than a second of processor time per rank, on cores that the ranks need. A reduction in
 * the memory of a host would be compiled whole twice, for half a second each time. The methods of {@link #ROOMS} are
 * therefore never inlined into their callers.
 *
 * <p>The loops in which a rank waits are hot long before their first message comes. A compiler that sees them then
 * leaves out what happens after the message, and compiles anew once one has come; so these loops are compiled later.
 */
final class CompileCommands {
    private static final String API = "mpi.";
    private static final String RUNTIME = "org.ulfmj.runtime.";
    private static final String TRANSPORT = "org.ulfmj.transport.";

    /** Classes, each with those of its methods that are never inlined into a caller. */
    static final List<String> ROOMS = List.of(
            API + "CollectiveCalls barrier bcast allGather allToAll",
            API + "ReductionCalls reduce allReduce",
            RUNTIME + "host.HostBarrier run",
            RUNTIME + "host.HostBroadcast run",
            RUNTIME + "host.HostGather allGather allToAll",
            RUNTIME + "host.HostReduction run reduceShort",
            RUNTIME + "RankEngine poll leave",
            RUNTIME + "Communicator sendAndWait receiveAndWait awaitSettled",
            RUNTIME + "progress.PollingProgress await drive spin sleepInSeat",
            RUNTIME + "transfer.ShortMessages send receive await",
            RUNTIME + "transfer.Transfers send receive release",
            RUNTIME + "transfer.Inbound onFrame",
            TRANSPORT + "process.ProcessFabric poll pollWithSeat",
            TRANSPORT + "tcp.TcpFabric poll pollWithSeat",
            TRANSPORT + "shm.ShmPeer ringIfAsleep",
            TRANSPORT + "shm.RingWriter makeRoom");
    /**
     * Classes, each with those of its methods that are compiled only after ten times as many calls and rounds of their
     * loops as others.
     */
    static final List<String> WAITS = List.of(
            RUNTIME + "RankEngine poll",
            RUNTIME + "progress.PollingProgress drive spin",
            TRANSPORT + "process.ProcessFabric poll pollLanes",
            TRANSPORT + "shm.InboundLanes read",
            TRANSPORT + "shm.InboundLane read");

    private CompileCommands() {}

    /** Options for HotSpot. */
    static List<String> options() {
        List<String> options = new ArrayList<>();
        options.add("-XX:CompileCommand=quiet");
        add("dontinline,", ROOMS, "", options);
        add("CompileThresholdScaling,", WAITS, ",10.0", options);
        return options;
    }

    private static void add(String command, List<String> methods, String value, List<String> options) {
        for (String line : methods) {
            String[] words = line.split(" ");
            for (int i = 1; i < words.length; i++) {
                options.add("-XX:CompileCommand=" + command + words[0] + "::" + words[i] + value);
            }
        }
    }
}
