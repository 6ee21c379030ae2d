package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Writes a {@link WaitReport} as bytes and reads it: its fields one after the other, lists with their length in front.
 * Texts are cut, and needs left out, so that any report stays within {@value #MAX_BYTES} bytes.
 */
public final class WaitReportCodec {
    /** The most bytes of a report; needs that could exceed this number are left out. */
    public static final int MAX_BYTES = 60_000;

    /** The largest number of characters of a text in a report; longer texts are cut. */
    static final int MOST_CHARACTERS = 160;

    private static final int LEAST_WAIT_BYTES = 29;
    private static final int LEAST_NEED_BYTES = 37;
    private static final int PEER_BYTES = 8;
    /** A number of bytes that one need does not exceed, even if each character of its texts takes three bytes. */
    private static final int NEED_BYTES = 2_000;
    /** A number of bytes that a report without its needs does not exceed. */
    private static final int REST_BYTES = 15_000;

    private WaitReportCodec() {}

    public static byte[] encode(WaitReport report) {
        WireWriter out = new WireWriter(MAX_BYTES);
        out.putProcess(report.process());
        Activity main = report.main();
        out.putByte(main.kind().ordinal()).putLong(main.forNs());
        putText(out, main.call());
        putText(out, main.site());
        out.putInt(report.moreWaits()).putInt(report.held()).putInt(report.unreceived());
        out.putInt(report.failed().size());
        for (int slot : report.failed()) {
            out.putInt(slot);
        }
        out.putInt(report.waits().size());
        for (Wait wait : report.waits()) {
            put(out, wait);
        }
        Stillness stillness = report.stillness();
        out.putLong(stillness.quietNs()).putLong(stillness.idleNs()).putByte(stillness.worksInBackground() ? 1 : 0);
        return out.toByteArray();
    }

    private static void put(WireWriter out, Wait wait) {
        putText(out, wait.thread());
        out.putLong(wait.forNs());
        putText(out, wait.call());
        putText(out, wait.site());
        // Long texts may fill the report early. Needs for which room is not certain any more are only counted.
        int fits =
                Math.min(wait.needs().size(), Math.max(0, (MAX_BYTES - REST_BYTES - out.lengthBytes()) / NEED_BYTES));
        out.putByte(wait.isAny() ? 1 : 0).putInt(wait.moreNeeds() + wait.needs().size() - fits);
        out.putInt(fits);
        for (Need need : wait.needs().subList(0, fits)) {
            putText(out, need.action());
            putText(out, need.detail());
            putText(out, need.communicator());
            out.putLong(need.communicatorId()).putInt(need.size()).putLong(need.number());
            out.putByte(need.isAny() ? 1 : 0).putInt(need.peers().size());
            for (AwaitedRank peer : need.peers()) {
                out.putInt(peer.rank()).putInt(peer.slot());
            }
        }
    }

    private static void putText(WireWriter out, String text) {
        out.putText(text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS - 1) + "…");
    }

    /** Reads a report. Throws {@link WireFormatException} for bytes that break a limit or are no report. */
    public static WaitReport decode(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new WireFormatException("report of " + bytes.length + " bytes, at most " + MAX_BYTES + " allowed");
        }
        WireReader in = new WireReader(bytes);
        ProcessId process = in.getProcess();
        Activity main = new Activity(kind(in.getByte()), in.getLong(), in.getText(), in.getText());
        int moreWaits = count(in);
        int held = count(in);
        int unreceived = count(in);
        int failures = countOf(in, WaitReport.MOST_FAILED, Integer.BYTES, "failed slots");
        List<Integer> failed = new ArrayList<>(failures);
        for (int i = 0; i < failures; i++) {
            failed.add(count(in));
        }
        int threads = countOf(in, WaitReport.MOST_WAITS, LEAST_WAIT_BYTES, "waits");
        List<Wait> waits = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            waits.add(getWait(in));
        }
        Stillness stillness = new Stillness(in.getLong(), in.getLong(), flag(in));
        in.requireEnd();
        return new WaitReport(process, main, waits, moreWaits, held, unreceived, failed, stillness);
    }

    private static Wait getWait(WireReader in) {
        String thread = in.getText();
        long forNs = in.getLong();
        String call = in.getText();
        String site = in.getText();
        boolean isAny = flag(in);
        int more = count(in);
        int size = countOf(in, Wait.MOST_NEEDS, LEAST_NEED_BYTES, "needs");
        List<Need> needs = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            needs.add(getNeed(in));
        }
        return new Wait(thread, forNs, call, site, isAny, needs, more);
    }

    private static Need getNeed(WireReader in) {
        String action = in.getText();
        String detail = in.getText();
        String communicator = in.getText();
        long id = in.getLong();
        int members = count(in);
        long number = in.getLong();
        boolean isAny = flag(in);
        int size = countOf(in, Need.MOST_PEERS, PEER_BYTES, "peers");
        List<AwaitedRank> peers = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            peers.add(new AwaitedRank(count(in), count(in)));
        }
        return new Need(action, detail, communicator, id, members, number, isAny, peers);
    }

    private static Activity.Kind kind(int number) {
        if (number >= Activity.Kind.values().length) {
            throw new WireFormatException("no activity has number " + number);
        }
        return Activity.Kind.values()[number];
    }

    private static boolean flag(WireReader in) {
        int value = in.getByte();
        if (value > 1) {
            throw new WireFormatException("a flag is 0 or 1, not " + value);
        }
        return value == 1;
    }

    private static int count(WireReader in) {
        int value = in.getInt();
        if (value < 0) {
            throw new WireFormatException("negative number " + value);
        }
        return value;
    }

    private static int countOf(WireReader in, int most, int itemBytes, String what) {
        int count = in.getInt();
        if (count > most) {
            throw new WireFormatException(count + " " + what + ", at most " + most + " allowed");
        }
        in.requireCount(count, itemBytes, what);
        return count;
    }
}
