package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.MemberRecord;

/** Writes messages: the type of each, then its fields. {@link RendezvousCodec} reads them. */
final class RendezvousEncoder implements RendezvousMessage.Handler {
    private final WireWriter out;

    RendezvousEncoder(WireWriter out) {
        this.out = out;
    }

    @Override
    public void onJoin(RendezvousMessage.Join join) {
        join.member().writeTo(out.putByte(RendezvousCodec.JOIN));
        out.putInt(join.round()).putInt(join.epoch());
    }

    @Override
    public void onTable(RendezvousMessage.Table table) {
        putMembers(out.putByte(RendezvousCodec.TABLE).putInt(table.round()), table.members());
    }

    @Override
    public void onConfirm(RendezvousMessage.Confirm confirm) {
        out.putByte(RendezvousCodec.CONFIRM).putInt(confirm.round());
    }

    @Override
    public void onFinal(RendezvousMessage.Final world) {
        putMembers(out.putByte(RendezvousCodec.FINAL).putInt(world.round()).putInt(world.epoch()), world.members());
    }

    @Override
    public void onWait(RendezvousMessage.Wait wait) {
        putMembers(out.putByte(RendezvousCodec.WAIT).putInt(wait.round()).putInt(wait.epoch()), wait.members());
    }

    @Override
    public void onOut(RendezvousMessage.Out end) {
        out.putByte(RendezvousCodec.OUT).putByte(end.reason().ordinal()).putText(end.text());
    }

    @Override
    public void onPending(RendezvousMessage.Pending pending) {
        pending.member().writeTo(out.putByte(RendezvousCodec.PENDING));
    }

    @Override
    public void onNoMore(RendezvousMessage.NoMore none) {
        out.putByte(RendezvousCodec.NO_MORE).putInt(none.slot()).putText(none.why());
    }

    @Override
    public void onCommitted(RendezvousMessage.Committed world) {
        out.putByte(RendezvousCodec.COMMITTED).putInt(world.round()).putInt(world.epoch());
        putMembers(out.putLong(world.digest()), world.members());
    }

    @Override
    public void onRecall(RendezvousMessage.Recall recall) {
        out.putByte(RendezvousCodec.RECALL).putInt(recall.round()).putInt(recall.call());
    }

    @Override
    public void onStillWaiting(RendezvousMessage.StillWaiting answer) {
        out.putByte(RendezvousCodec.STILL_WAITING).putInt(answer.call());
    }

    @Override
    public void onSpare(RendezvousMessage.Spare spare) {
        out.putByte(RendezvousCodec.SPARE).putInt(spare.number());
    }

    @Override
    public void onAssign(RendezvousMessage.Assign assign) {
        out.putByte(RendezvousCodec.ASSIGN).putProcess(assign.process());
    }

    @Override
    public void onDeath(RendezvousMessage.Death death) {
        out.putByte(RendezvousCodec.DEATH).putProcess(death.process()).putText(death.reason());
    }

    @Override
    public void onDeparted(RendezvousMessage.Departed departed) {
        out.putByte(RendezvousCodec.DEPARTED).putProcess(departed.process());
    }

    @Override
    public void onFence(RendezvousMessage.Fence fence) {
        out.putByte(RendezvousCodec.FENCE).putText(fence.reason());
    }

    @Override
    public void onAbort(RendezvousMessage.Abort abort) {
        out.putByte(RendezvousCodec.ABORT).putInt(abort.code()).putText(abort.reason());
    }

    @Override
    public void onGoodbye(RendezvousMessage.Goodbye goodbye) {
        goodbye.heldForFailed().writeTo(out.putByte(RendezvousCodec.GOODBYE));
    }

    @Override
    public void onGoodbyeHeard(RendezvousMessage.GoodbyeHeard message) {
        out.putByte(RendezvousCodec.GOODBYE_HEARD);
    }

    @Override
    public void onReached(RendezvousMessage.Reached reached) {
        out.putByte(RendezvousCodec.REACHED).putInt(reached.rule());
    }

    @Override
    public void onSuspect(RendezvousMessage.Suspect suspect) {
        out.putByte(RendezvousCodec.SUSPECT).putProcess(suspect.process());
    }

    @Override
    public void onHeard(RendezvousMessage.Heard heard) {
        out.putByte(RendezvousCodec.HEARD).putProcess(heard.process());
    }

    @Override
    public void onAreYouThere(RendezvousMessage.AreYouThere ask) {
        putProcesses(out.putByte(RendezvousCodec.ARE_YOU_THERE).putLong(ask.question()), ask.complainers());
    }

    @Override
    public void onHere(RendezvousMessage.Here here) {
        out.putByte(RendezvousCodec.HERE).putLong(here.question());
    }

    @Override
    public void onDoYouHear(RendezvousMessage.DoYouHear ask) {
        out.putByte(RendezvousCodec.DO_YOU_HEAR).putLong(ask.question()).putProcess(ask.process());
    }

    @Override
    public void onStillNothing(RendezvousMessage.StillNothing nothing) {
        out.putByte(RendezvousCodec.STILL_NOTHING).putLong(nothing.question()).putProcess(nothing.process());
    }

    @Override
    public void onSilenced(RendezvousMessage.Silenced silenced) {
        out.putByte(RendezvousCodec.SILENCED).putProcess(silenced.process()).putText(silenced.reason());
    }

    @Override
    public void onAskWaits(RendezvousMessage.AskWaits ask) {
        out.putByte(RendezvousCodec.ASK_WAITS).putLong(ask.request());
    }

    @Override
    public void onWaits(RendezvousMessage.Waits waits) {
        out.putByte(RendezvousCodec.WAITS).putLong(waits.request()).putBlob(waits.report());
    }

    @Override
    public void onPut(RendezvousMessage.Put put) {
        out.putByte(RendezvousCodec.PUT)
                .putLong(put.request())
                .putText(put.key())
                .putBlob(put.value());
    }

    @Override
    public void onStored(RendezvousMessage.Stored stored) {
        out.putByte(RendezvousCodec.STORED).putLong(stored.request()).putText(stored.refusal());
    }

    @Override
    public void onGet(RendezvousMessage.Get get) {
        out.putByte(RendezvousCodec.GET).putLong(get.request()).putText(get.key());
    }

    @Override
    public void onValue(RendezvousMessage.Value value) {
        out.putByte(RendezvousCodec.VALUE).putLong(value.request()).putBlob(value.value());
    }

    private static void putProcesses(WireWriter out, List<ProcessId> processes) {
        out.putInt(processes.size());
        for (ProcessId process : processes) {
            out.putProcess(process);
        }
    }

    private static void putMembers(WireWriter out, List<MemberRecord> members) {
        out.putInt(members.size());
        for (MemberRecord member : members) {
            member.writeTo(out);
        }
    }
}
