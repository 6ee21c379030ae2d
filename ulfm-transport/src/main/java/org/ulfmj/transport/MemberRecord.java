package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Where a rank is and how to know that it is still the same process.
 *
 * @param id slot and incarnation
 * @param nonce 64 random bits drawn once by the process
 * @param host name or address its listener can be reached at
 * @param tcpPort of its listener
 * @param socketPath of its Unix-domain lifeline socket; empty if it has none
 * @param pid process id on its host
 * @param startTimeTicks field 22 of {@code /proc/PID/stat}: tells two processes of one pid apart; 0 if unknown
 * @param bootId of its kernel; equal at two ranks of one host; empty if unknown
 * @param pidNamespace inode of its pid namespace; pids mean something only within one; 0 if unknown
 */
public record MemberRecord(
        ProcessId id,
        long nonce,
        String host,
        int tcpPort,
        String socketPath,
        long pid,
        long startTimeTicks,
        String bootId,
        long pidNamespace) {

    /** Whether a pid of {@code other} can be looked up where this process runs. */
    public boolean sharesPidsWith(MemberRecord other) {
        return !bootId.isEmpty() && bootId.equals(other.bootId) && pidNamespace == other.pidNamespace;
    }

    public void writeTo(WireWriter out) {
        out.putProcess(id).putLong(nonce).putText(host).putInt(tcpPort).putText(socketPath);
        out.putLong(pid).putLong(startTimeTicks).putText(bootId).putLong(pidNamespace);
    }

    public static MemberRecord readFrom(WireReader in) {
        return new MemberRecord(
                in.getProcess(),
                in.getLong(),
                in.getText(),
                in.getInt(),
                in.getText(),
                in.getLong(),
                in.getLong(),
                in.getText(),
                in.getLong());
    }
}
