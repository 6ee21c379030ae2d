package org.ulfmj.transport.shm;

import java.io.FileInputStream;
import java.util.List;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.host.HostProcess;

/** Says what it takes a process for, by pid and start time, when it can open no file any more. */
final class WithoutDescriptors {
    private WithoutDescriptors() {}

    public static void main(String[] args) {
        HostProcess self = HostProcess.self();
        HostProcess other =
                new HostProcess(Long.parseLong(args[0]), Long.parseLong(args[1]), self.pidNamespace(), self.bootId());
        // Loads every class on the way while files can still be opened.
        say(new HostProcess(1L << 40, 1, self.pidNamespace(), self.bootId()));
        List<FileInputStream> open = OtherProcess.takeAllDescriptors();
        System.out.print(say(other));
        System.out.flush();
        open.clear();
    }

    private static String say(HostProcess owner) {
        return "ended "
                .concat(Boolean.toString(owner.hasEndedWholly()))
                .concat(", may be alive ")
                .concat(Boolean.toString(owner.mayBeAlive()));
    }
}
