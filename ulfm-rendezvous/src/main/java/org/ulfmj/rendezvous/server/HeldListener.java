package org.ulfmj.rendezvous.server;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.elect.HeldSteps;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/**
 * C5: the listener of a coordinator that was elected. It passes an event on once the state after the step is stored.
 * Questions to the listener, and the errors of strangers and of the server, are passed on at once.
 */
public final class HeldListener implements ServerListener {
    private final ServerListener listener;
    private final HeldSteps held;

    public HeldListener(ServerListener listener, HeldSteps held) {
        this.listener = listener;
        this.held = held;
    }

    @Override
    public void onJoined(ProcessId process) {
        held.hold(() -> listener.onJoined(process));
    }

    @Override
    public void onArrived(Joiner joiner) {
        held.hold(() -> listener.onArrived(joiner));
    }

    @Override
    public void onPending(ProcessId newcomer) {
        held.hold(() -> listener.onPending(newcomer));
    }

    @Override
    public void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {
        held.hold(() -> listener.onCommitted(from, epoch, members));
    }

    @Override
    public void onNamed(MemberRecord former) {
        held.hold(() -> listener.onNamed(former));
    }

    @Override
    public void onExcluded(ProcessId process) {
        held.hold(() -> listener.onExcluded(process));
    }

    @Override
    public void onLeftOut(ProcessId newcomer) {
        held.hold(() -> listener.onLeftOut(newcomer));
    }

    @Override
    public void onSpare(int number) {
        held.hold(() -> listener.onSpare(number));
    }

    @Override
    public void onWorldGone() {
        held.hold(listener::onWorldGone);
    }

    @Override
    public void onFinal() {
        held.hold(listener::onFinal);
    }

    @Override
    public void onBegun(List<MemberRecord> members) {
        held.hold(() -> listener.onBegun(members));
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        held.hold(() -> listener.onClosed(reason, text));
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        held.hold(() -> listener.onGoodbye(process, heldForFailed));
    }

    /**
     * The other members are told: a job whose coordinator is elected survives failures, so a process that leaves does
     * not end it.
     */
    @Override
    public boolean onLeave(ProcessId process, String why) {
        held.hold(() -> listener.onLeave(process, why));
        return true;
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        held.hold(() -> listener.onReached(process, rule));
    }

    @Override
    public void onSuspect(ProcessId from, ProcessId about) {
        held.hold(() -> listener.onSuspect(from, about));
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        held.hold(() -> listener.onSilent(process, reason));
    }

    @Override
    public void onSilent(ProcessId process, long nonce, String reason) {
        held.hold(() -> listener.onSilent(process, nonce, reason));
    }

    @Override
    public long waitedForCoreNs(ProcessId process, long pid) {
        return listener.waitedForCoreNs(process, pid);
    }

    @Override
    public boolean isCoreWaitKnown(ProcessId process) {
        return listener.isCoreWaitKnown(process);
    }

    @Override
    public void onHostEnds(int host) {
        held.hold(() -> listener.onHostEnds(host));
    }

    @Override
    public void onLost(int host, List<ProcessId> processes, String reason) {
        held.hold(() -> listener.onLost(host, processes, reason));
    }

    @Override
    public void onMinority(int reached, int members) {
        held.hold(() -> listener.onMinority(reached, members));
    }

    @Override
    public void onLeaseOver(ProcessId process, String reason) {
        held.hold(() -> listener.onLeaseOver(process, reason));
    }

    @Override
    public void onGivenUp(ProcessId process, String reason) {
        held.hold(() -> listener.onGivenUp(process, reason));
    }

    @Override
    public void onSpareSilent(int number, String reason) {
        held.hold(() -> listener.onSpareSilent(number, reason));
    }

    @Override
    public void onSpareGivenUp(int number, String reason) {
        held.hold(() -> listener.onSpareGivenUp(number, reason));
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        held.hold(() -> listener.onFenced(process, reason));
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        held.hold(() -> listener.onAbort(by, code, reason));
    }

    @Override
    public void onWaits(ProcessId process, long request, byte[] report) {
        held.hold(() -> listener.onWaits(process, request, report));
    }

    @Override
    public void onStranger(String why) {
        listener.onStranger(why);
    }

    @Override
    public void onBroken(Throwable cause) {
        listener.onBroken(cause);
    }
}
