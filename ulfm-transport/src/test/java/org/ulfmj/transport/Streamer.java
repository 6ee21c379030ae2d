package org.ulfmj.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.shm.ShmNode;
import org.ulfmj.transport.tcp.TcpNode;

/**
 * The main class of rank 1: sends frames to rank 0 without end, on both lanes. The payload of each follows from its
 * number.
 */
public final class Streamer {
    private static final int RECORD_BYTES = 4096;

    private Streamer() {}

    /** Arguments: the medium, the directory of the job, the record of rank 0. Writes its own record to stdout. */
    public static void main(String[] args) throws IOException {
        EndWithParent.watch();
        try (Node node = open(args[0], Path.of(args[1]), 1)) {
            System.out.println(textOf(node.record()));
            node.connect(List.of(recordOf(args[2]), node.record()));
            Received sink = new Received();
            int[] sent = new int[LaneKind.values().length];
            while (true) {
                for (LaneKind lane : LaneKind.values()) {
                    int number = sent[lane.ordinal()];
                    // A control lane never refuses a frame, so only one control frame goes out per ten data frames.
                    boolean isTurn = lane == LaneKind.DATA || number * 10 < sent[LaneKind.DATA.ordinal()];
                    if (isTurn && node.fabric().offer(ProcessId.of(0), lane, frame(number))) {
                        sent[lane.ordinal()]++;
                    }
                }
                node.fabric().pollWithSeat(sink);
            }
        }
    }

    static Node open(String medium, Path directory, int slot) throws IOException {
        return medium.equals("shm") ? new ShmNode(directory, slot) : new TcpNode(directory, slot);
    }

    static String textOf(MemberRecord record) {
        WireWriter out = new WireWriter(RECORD_BYTES);
        record.writeTo(out);
        return HexFormat.of().formatHex(out.toByteArray());
    }

    static MemberRecord recordOf(String text) {
        return MemberRecord.readFrom(new WireReader(HexFormat.of().parseHex(text)));
    }

    static Frame frame(int number) {
        return Frames.numbered(number, payload(number));
    }

    /** Shorter than 3000 bytes; each fortieth of any length below the limit. */
    static byte[] payload(int number) {
        int mixed = number * 0x9e3779b9 >>> 1;
        return Frames.bytes(number % 40 == 39 ? mixed % Frame.MAX_PAYLOAD_BYTES : mixed % 3000, number);
    }
}
