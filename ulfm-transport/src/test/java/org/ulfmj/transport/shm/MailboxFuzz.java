package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.fuzz.FuzzTarget;
import org.ulfmj.transport.LaneKind;

/** Fuzzes the reading of a mailbox with any content: no number in it may lead to an access outside the mailbox. */
final class MailboxFuzz implements FuzzTarget {
    private static final int RANKS = 4;
    private static final int MAX_PORT = 0xffff;

    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(Mailbox.bytesFor(RANKS)).order(ByteOrder.nativeOrder());

    @Override
    public List<byte[]> samples() {
        memory.clear().put(new byte[memory.capacity()]).clear();
        Mailbox mailbox = new Mailbox(memory);
        mailbox.setBellPort(4711);
        mailbox.announce(ProcessId.of(1), LaneKind.DATA, 99);
        mailbox.announce(new ProcessId(2, 3), LaneKind.CONTROL, 98);
        byte[] whole = new byte[memory.capacity()];
        memory.clear().get(whole);
        return List.of(whole);
    }

    @Override
    public void parse(byte[] input) {
        memory.clear().put(new byte[memory.capacity()]).clear();
        memory.put(input, 0, Math.min(input.length, memory.capacity())).clear();
        Mailbox mailbox = new Mailbox(memory);
        for (int slot = 0; slot < RANKS + 2; slot++) {
            for (int incarnation : new int[] {0, 1, Integer.MAX_VALUE}) {
                for (LaneKind kind : LaneKind.values()) {
                    mailbox.lane(new ProcessId(slot, incarnation), kind);
                }
            }
        }
        if (mailbox.bellPort() < 0 || mailbox.bellPort() > MAX_PORT) {
            throw new IllegalStateException("no port: " + mailbox.bellPort());
        }
        mailbox.sleep();
        mailbox.announcements();
        mailbox.takenBack(Long.MIN_VALUE);
        mailbox.takenBack(-1);
        mailbox.announce(ProcessId.of(RANKS - 1), LaneKind.DATA, 5);
    }
}
