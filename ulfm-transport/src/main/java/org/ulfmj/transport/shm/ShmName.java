package org.ulfmj.transport.shm;

import java.util.HexFormat;
import org.ulfmj.protocol.ProcessId;

/**
 * Names of shared files: {@code FROM.INCARNATION-TO-ID}, as in {@code 3.0-5-9f86d081884c7d65}, or {@code 3.0-box-ID}
 * for the file that one shows to all. The ends tell whose it is when one of them dies; the id is random, so that
 * nothing late is taken for something else. No process is told a name: it follows from who made the file, for whom, and
 * its id.
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
