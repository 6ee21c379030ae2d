package org.ulfmj.launch.program;

import java.util.ArrayList;
import java.util.List;

/**
 * What the compilers of a rank are told of the way of a message and of a collective, so that they are through with it
 * sooner.
 *
 * <p>The second compiler inlines what a method calls, and compiles a hot method once for itself and once in each of its
 * callers. A message passes some twenty rooms, all of which become hot at the same time, so the last of them would be
 * compiled twenty times: more than a second of processor time per rank, on cores that the ranks need. A reduction of a
 * host would be compiled whole twice, for half a second each time. At the methods named here a room begins, and a
 * caller calls it as it is.
 *
 * <p>The loops in which a rank waits are hot long before their first message comes. A compiler that sees them then
 * leaves out what happens after it, and compiles anew once that has happened; so it sees them later.
 */
final class CompileCommands {
    private static final String API = "mpi.";
    private static final String RUNTIME = "org.ulfmj.runtime.";
    private static final String TRANSPORT = "org.ulfmj.transport.";

    /** Classes and those of their methods that no caller takes in. */
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
    /** Classes and those of their methods that are compiled after ten times as many calls as others. */
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
