package org.ulfmj.transport.shm;

import java.io.FileInputStream;
import java.util.List;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.host.HostProcess;

/**
 * A main class that opens all files that it may, and then prints whether it takes a process, given by pid and start
 * time, for wholly ended, and whether it holds that the process may be alive.
 */
final class WithoutDescriptors {
    private WithoutDescriptors() {}

    public static void main(String[] args) {
        HostProcess self = HostProcess.self();
        HostProcess other =
                new HostProcess(Long.parseLong(args[0]), Long.parseLong(args[1]), self.pidNamespace(), self.bootId());
        // Loads every class that is needed while files can still be opened.
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
