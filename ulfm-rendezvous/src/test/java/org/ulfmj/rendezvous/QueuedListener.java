package org.ulfmj.rendezvous;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/** What a launcher was told, for a test on another thread to wait for. */
final class QueuedListener implements ServerListener {
    private final RecordedListener lines = new RecordedListener();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    /** The next news; null if none came for long. */
    String next() throws InterruptedException {
        return heard.poll(60, TimeUnit.SECONDS);
    }

    /** Waits for a piece of news, past others. */
    void await(String wanted) throws InterruptedException {
        String line = next();
        while (!wanted.equals(line)) {
            if (line == null) {
                throw new AssertionError("never heard: " + wanted);
            }
            line = next();
        }
    }

    private void pass() {
        heard.addAll(lines.take());
    }

    @Override
    public void onJoined(ProcessId process) {
        lines.onJoined(process);
        pass();
    }

    @Override
    public void onFinal() {
        lines.onFinal();
        pass();
    }

    @Override
    public void onClosed(OutReason reason, String text) {
        lines.onClosed(reason, text);
        pass();
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        lines.onGoodbye(process, heldForFailed);
        pass();
    }

    @Override
    public void onReached(ProcessId process, int rule) {
        lines.onReached(process, rule);
        pass();
    }

    @Override
    public void onSuspect(ProcessId from, ProcessId about) {
        lines.onSuspect(from, about);
        pass();
    }

    @Override
    public void onFenced(ProcessId process, String reason) {
        lines.onFenced(process, reason);
        pass();
    }

    @Override
    public void onAbort(ProcessId by, int code, String reason) {
        lines.onAbort(by, code, reason);
        pass();
    }

    @Override
    public void onPending(ProcessId newcomer) {
        lines.onPending(newcomer);
        pass();
    }

    @Override
    public void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {
        lines.onCommitted(from, epoch, members);
        pass();
    }

    @Override
    public void onExcluded(ProcessId process) {
        lines.onExcluded(process);
        pass();
    }

    @Override
    public void onLeftOut(ProcessId newcomer) {
        lines.onLeftOut(newcomer);
        pass();
    }

    @Override
    public void onSpare(int number) {
        lines.onSpare(number);
        pass();
    }

    @Override
    public void onWorldGone() {
        lines.onWorldGone();
        pass();
    }

    @Override
    public void onBroken(Throwable cause) {
        lines.onBroken(cause);
        pass();
    }
}
