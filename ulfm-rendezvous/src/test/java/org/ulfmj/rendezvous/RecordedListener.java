package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.transport.MemberRecord;

/** Records most kinds of events that a launcher is told of, as short lines. */
public class RecordedListener implements ServerListener {
    private final Collection<String> heard;

    public RecordedListener() {
        this(new ArrayList<>());
    }

    public RecordedListener(Collection<String> heard) {
        this.heard = heard;
    }

    public List<String> take() {
        List<String> taken = List.copyOf(heard);
        heard.clear();
        return taken;
    }

    @Override
    public void onJoined(ProcessId process) {
        heard.add("joined " + process);
    }

    @Override
    public void onBegun(List<MemberRecord> members) {
        heard.add("begun "
                + members.stream()
                        .map(member -> member.id() + "/" + member.nonce())
                        .toList());
    }

    @Override
    public void onNamed(MemberRecord former) {
        heard.add("named " + former.id() + "/" + former.nonce());
    }

    @Override
    public void onFinal() {
        heard.add("final");
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        heard.add("closed " + reason + ": " + text);
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        heard.add("goodbye " + process + " " + heldForFailed);
    }

    @Override
    public boolean onLeave(ProcessId process, String why) {
        heard.add("leave " + process + ": " + why);
        return true;
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        heard.add("reached " + process + " rule " + rule);
    }

    @Override
    public void onSuspect(ProcessId from, ProcessId about) {
        heard.add("suspected " + about + " by " + from);
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        heard.add("silent " + process + ": " + reason);
    }

    @Override
    public void onMinority(int reached, int members) {
        heard.add("reaches " + reached + " of " + members);
    }

    @Override
    public void onLost(int host, List<ProcessId> processes, String reason) {
        heard.add("lost " + processes + " with host " + host + ": " + reason);
    }

    @Override
    public void onLeaseOver(ProcessId process, String reason) {
        heard.add("lease over " + process + ": " + reason);
    }

    @Override
    public void onGivenUp(ProcessId process, String reason) {
        heard.add("given up " + process + ": " + reason);
    }

    @Override
    public void onSpareSilent(int number, String reason) {
        heard.add("silent spare " + number + ": " + reason);
    }

    @Override
    public void onSpareGivenUp(int number, String reason) {
        heard.add("given up spare " + number + ": " + reason);
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        heard.add("fenced " + process + ": " + reason);
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        heard.add("abort by " + by + " " + code + ": " + reason);
    }

    @Override
    public void onPending(ProcessId newcomer) {
        heard.add("pending " + newcomer);
    }

    @Override
    public void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {
        heard.add("committed by " + from + " epoch " + epoch + ": "
                + members.stream().map(MemberRecord::id).toList());
    }

    @Override
    public void onExcluded(ProcessId process) {
        heard.add("excluded " + process);
    }

    @Override
    public void onLeftOut(ProcessId newcomer) {
        heard.add("left out " + newcomer);
    }

    @Override
    public void onSpare(int number) {
        heard.add("spare " + number);
    }

    @Override
    public void onWorldGone() {
        heard.add("world gone");
    }

    @Override
    public void onBroken(Throwable cause) {
        heard.add("broken " + cause);
    }
}
