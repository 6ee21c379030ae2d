package org.ulfmj.rendezvous;

import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.WorldSize;

/**
 * The durable state of a {@link RendezvousCore} as bytes. The parts of the core that have such state write their fields
 * ({@code writeImage}) and read them again ({@code readImage}).
 *
 * <p>Not in it are: times (deadlines begin anew), the complaints, which the members repeat on a new connection, the
 * judge's open cases, and the program's store, which may be too large.
 *
 * <pre>
 *   version (1 byte), the job, phase and round, processes, incarnations, spares, refusals, the running world
 * </pre>
 */
final class CoreImage {
    private static final int VERSION = 1;

    /** The largest image, in bytes: etcd takes at most 1.5 MiB in one request. */
    private static final int MOST_BYTES = 1_400_000;

    private CoreImage() {}

    static WireWriter begin(RunSpec run) {
        WireWriter out = new WireWriter(MOST_BYTES);
        out.putByte(VERSION).putText(run.runId()).putInt(run.size()).putLong(run.optionsHash());
        out.putLong(run.joinTimeoutNs()).putLong(run.confirmTimeoutNs());
        putFlag(out, run.restarts());
        out.putLong(run.silenceNs()).putLong(run.leaseNs());
        putFlag(out, run.needsMajority());
        putFlag(out, run.isElastic());
        if (run.isElastic()) {
            WorldSize size = run.elastic();
            out.putInt(size.min()).putInt(size.max()).putLong(size.lastCallNs());
        }
        return out;
    }

    /** Reads what {@link #begin} wrote. */
    static RunSpec readRun(WireReader in) {
        int version = in.getByte();
        if (version != VERSION) {
            throw new WireFormatException(
                    "the stored state of the job has version " + version + ", this release reads version " + VERSION);
        }
        String runId = in.getText();
        int size = in.getInt();
        long optionsHash = in.getLong();
        long joinTimeoutNs = in.getLong();
        long confirmTimeoutNs = in.getLong();
        boolean restarts = getFlag(in);
        long silenceNs = in.getLong();
        long leaseNs = in.getLong();
        boolean needsMajority = getFlag(in);
        WorldSize elastic = getFlag(in) ? new WorldSize(in.getInt(), in.getInt(), in.getLong()) : null;
        return new RunSpec(
                runId,
                size,
                optionsHash,
                joinTimeoutNs,
                confirmTimeoutNs,
                restarts,
                silenceNs,
                leaseNs,
                needsMajority,
                elastic);
    }

    static void putFlag(WireWriter out, boolean flag) {
        out.putByte(flag ? 1 : 0);
    }

    static boolean getFlag(WireReader in) {
        return in.getByte() != 0;
    }

    /** @param text may be null */
    static void putMaybe(WireWriter out, String text) {
        putFlag(out, text != null);
        if (text != null) {
            out.putText(text);
        }
    }

    static String getMaybe(WireReader in) {
        return getFlag(in) ? in.getText() : null;
    }

    /** @param message may be null */
    static void putMaybe(WireWriter out, RendezvousMessage message) {
        putFlag(out, message != null);
        if (message != null) {
            out.putBlob(RendezvousCodec.encode(message));
        }
    }

    static RendezvousMessage getMaybeMessage(WireReader in) {
        return getFlag(in) ? RendezvousCodec.decode(in.getBlob()) : null;
    }

    static RendezvousMessage.Out getMaybeOut(WireReader in) {
        return (RendezvousMessage.Out) getMaybeMessage(in);
    }
}
