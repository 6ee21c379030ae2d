package org.ulfmj.runtime.recovery;

import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.message.LateMessage;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.runtime.message.WrittenPayload;
import org.ulfmj.runtime.transfer.Traffic;

/**
 * Sends the messages of a rank's {@link SurvivorCore} as bytes. Messages that need not wake their receiver are put off
 * and sent later. Under the engine lock.
 */
final class ControlSender implements Outbox<ProcessId, ControlMessage> {
    private final ProcessId me;
    private final SurvivorCore core;
    private final Traffic traffic;
    private final ProtocolHooks hooks;
    private final WrittenPayload written = new WrittenPayload(ControlCodec.MAX_BYTES);
    /** The message whose bytes are in {@link #written}. A message that goes to several processes is encoded once. */
    private ControlMessage lastWritten;
    /** The message that was put off last. */
    private LateMessage lastPutOff;

    private Notice lastPutOffNotice;

    ControlSender(ProcessId me, SurvivorCore core, Traffic traffic, ProtocolHooks hooks) {
        this.me = me;
        this.core = core;
        this.traffic = traffic;
        this.hooks = hooks;
    }

    @Override
    public void send(ProcessId to, ControlMessage message) {
        if (!traffic.knows(to)) {
            return;
        }
        if (isUnhurried(message, to)) {
            putOff(to, message);
            return;
        }
        if (message != lastWritten) {
            lastWritten = null;
            ControlCodec.encode(message, written.begin());
            lastWritten = message;
        }
        if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Heartbeat) {
            traffic.sendHeartbeat(to, written);
            return;
        }
        // A goodbye is waited for.
        traffic.sendControl(to, written, message instanceof ControlMessage.Goodbye);
    }

    private void putOff(ProcessId to, ControlMessage message) {
        if (lastPutOff == null || !lastPutOff.isOf(message)) {
            lastPutOff = new LateMessage(message);
            lastPutOffNotice = Notice.unhurried(lastPutOff);
        }
        traffic.putOff(to, lastPutOffNotice);
    }

    /**
     * Whether a message is put off, because it need not wake its receiver. Two kinds are. A revocation that this rank
     * passes on does not wake the originator, nor the ranks that the originator itself wakes: they know already, at a
     * time when all ranks need the cores. An obituary of a certain death wakes no rank while the launcher tells all
     * ranks of deaths: the ranks pass it on only in case that the launcher is gone, and waking all neighbours would
     * take the cores from ranks that do not know yet.
     */
    private boolean isUnhurried(ControlMessage message, ProcessId to) {
        if (message instanceof ControlMessage.Revoke revoke) {
            return isKnownTo(revoke, to);
        }
        boolean isOfDeath = message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.evidence().kind() == Evidence.Kind.CERTAIN;
        return isOfDeath && hooks.isToldOfDeaths();
    }

    /**
     * Whether the receiver certainly knows of this revocation already, because it is the originator or a neighbour of
     * the originator in the overlay. If a member is gone, ranks may disagree on who is whose neighbour, and the method
     * returns false.
     */
    private boolean isKnownTo(ControlMessage.Revoke revoke, ProcessId to) {
        SlotRuns members = revoke.members();
        int origin = members.rank(revoke.originSlot());
        int receiver = members.rank(to.slot());
        return revoke.originSlot() != me.slot()
                && origin >= 0
                && receiver >= 0
                && core.failures().goneAmong(members, core.membership()).isEmpty()
                && (origin == receiver || BinomialGraph.areNeighbours(origin, receiver, members.size()));
    }
}
