package org.ulfmj.transport.shm;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * A main class that reads a lane which has grown into larger files: first while the process can open no file, then
 * again when it can. Prints how often the lane broke or was excluded, whether some but not all frames came while no
 * file could be opened, and how many are missing in the end.
 */
final class LaneWithoutDescriptors implements InboundLane.Sink {
    private int frames;
    private int broken;

    private LaneWithoutDescriptors() {}

    public static void main(String[] args) throws IOException {
        ShmDirectory directory =
                ShmDirectory.create(ShmDirectory.pathFor(ShmWorld.base(), Long.toHexString(RandomBytes.nextLong())));
        try {
            new LaneWithoutDescriptors().run(directory);
        } finally {
            directory.remove();
        }
    }

    private void run(ShmDirectory directory) throws IOException {
        ShmFiles ofZero = new ShmFiles(directory, ProcessId.of(0), HostProcess.self(), 1 << 30);
        ShmFiles ofOne = new ShmFiles(directory, ProcessId.of(1), HostProcess.self(), 1 << 30);
        OutboundLane sender = OutboundLane.open(ofZero, ProcessId.of(1), LaneKind.DATA);
        MemberRecord zero = ShmWorld.recordOf(new LinkIdentity(ProcessId.of(0), 1), 1);
        InboundLane receiver = new InboundLane(new ShmPeer(zero), LaneKind.DATA, ofOne, sender.fileId());
        int sent = 0;
        while (sender.offer(Frames.numbered(sent, new byte[1_000]))) {
            sent++;
        }
        List<FileInputStream> open = OtherProcess.takeAllDescriptors();
        readAll(receiver);
        int early = frames;
        for (FileInputStream file : open) {
            file.close();
        }
        readAll(receiver);
        System.out.print("broken " + broken + ", early " + (0 < early && early < sent ? "some" : early + " of " + sent)
                + ", missing " + (sent - frames));
        System.out.flush();
    }

    private void readAll(InboundLane lane) {
        while (lane.read(Integer.MAX_VALUE, this) > 0) {
            // until nothing is there
        }
    }

    @Override
    public void onFrame(ShmPeer from, LaneKind kind, Frame frame) {
        frames++;
    }

    @Override
    public void onExcluded(ShmPeer by) {
        broken++;
    }

    @Override
    public void onRoom(ShmPeer to) {
        // The sender waits for nothing.
    }

    @Override
    public void onBroken(ShmPeer from, String why) {
        broken++;
    }
}
