package org.ulfmj.transport.shm;

import java.util.HexFormat;
import org.ulfmj.protocol.ProcessId;

/**
 * Names of shared files: {@code FROM.INCARNATION-TO-ID}, as in {@code 3.0-5-9f86d081884c7d65}, or {@code 3.0-box-ID}
 * for a file that a process makes for all others. The two slots show which files are to be removed when one of the two
 * ranks dies. The id is random, so that an old file is never taken for a new one. Names are not sent: a name follows
 * from the maker of the file, its receiver, and its id.
 */
final class ShmName {
    private ShmName() {}

    static String of(ProcessId from, ProcessId to, long id) {
        return prefix(from, to) + HexFormat.of().toHexDigits(id);
    }

    static String ofMailbox(ProcessId owner, long id) {
        return prefixOfMailbox(owner) + HexFormat.of().toHexDigits(id);
    }

    /** The prefix of all names that {@code owner} gives to files for all. */
    static String prefixOfMailbox(ProcessId owner) {
        return owner.slot() + "." + owner.incarnation() + "-box-";
    }

    /** The prefix of all names that {@code from} gives to files for {@code to}. */
    static String prefix(ProcessId from, ProcessId to) {
        return from.slot() + "." + from.incarnation() + "-" + to.slot() + "-";
    }
}
