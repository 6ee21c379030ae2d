package org.ulfmj.rendezvous.client;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.transport.MemberRecord;

/** Records most kinds of news from or about the launcher that a rank is told, as short lines. */
final class RecordedNews implements ClientListener {
    private final List<String> lines = new ArrayList<>();

    List<String> lines() {
        return lines;
    }

    @Override
    public void onDeath(ProcessId process, String reason) {
        lines.add("death " + process + ": " + reason);
    }

    @Override
    public void onDeparted(ProcessId process) {
        lines.add("departed " + process);
    }

    @Override
    public void onPending(MemberRecord newcomer) {
        lines.add("pending " + newcomer.id());
    }

    @Override
    public void onNoMore(int slot, String why) {
        lines.add("no more " + slot + ": " + why);
    }

    @Override
    public void onOut(OutReason reason, String text) {
        lines.add("out " + reason + ": " + text);
    }

    @Override
    public void onClosed(String why) {
        lines.add("closed: " + why);
    }

    @Override
    public void onGathered(List<MemberRecord> members) {
        lines.add("gathered " + members.stream().map(MemberRecord::id).toList());
    }

    @Override
    public void onFence(String reason) {
        lines.add("fence: " + reason);
    }

    @Override
    public void onAbort(int code, String reason) {
        lines.add("abort " + code + ": " + reason);
    }

    @Override
    public void onAreYouThere(long question, List<ProcessId> complainers) {
        lines.add("are you there " + question + " " + complainers);
    }

    @Override
    public void onDoYouHear(long question, ProcessId process) {
        lines.add("do you hear " + question + " " + process);
    }

    @Override
    public void onSilenced(ProcessId process, String reason) {
        lines.add("silenced " + process + ": " + reason);
    }

    @Override
    public void onSignal(String name) {
        lines.add("signal " + name);
    }

    @Override
    public void onLauncherLost(String reason) {
        lines.add("lost: " + reason);
    }
}
