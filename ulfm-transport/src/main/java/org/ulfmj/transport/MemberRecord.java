package org.ulfmj.transport;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.transport.host.HostProcess;

/**
 * The address of a rank, and the facts by which another process knows that it is still the same process.
 *
 * @param id slot and incarnation
 * @param nonce 64 random bits drawn once by the process
 * @param hostKey number that the processes of its host have in common, and those of other hosts have not: random, drawn
 *     by the launcher per host and job; 0 where none was drawn, as for ranks that are threads. Only processes with the
 *     same key share memory, lifelines and the view of {@code /proc}: a boot id would not tell containers or network
 *     namespaces of one machine apart
 * @param address of its listener, as a literal
 * @param tcpPort port of its listener
 * @param socketPath path of its Unix-domain lifeline socket; empty if it has none
 * @param process its process, as another process of the same host can look for it
 */
public record MemberRecord(
        ProcessId id, long nonce, long hostKey, String address, int tcpPort, String socketPath, HostProcess process) {

    /** Whether the other process runs on the same host, by the keys of the two hosts. */
    public boolean isOnHostOf(MemberRecord other) {
        return hostKey == other.hostKey;
    }

    /** The same process by another name. */
    public MemberRecord named(ProcessId name) {
        return new MemberRecord(name, nonce, hostKey, address, tcpPort, socketPath, process);
    }

    public void writeTo(WireWriter out) {
        out.putProcess(id)
                .putLong(nonce)
                .putLong(hostKey)
                .putText(address)
                .putInt(tcpPort)
                .putText(socketPath);
        process.writeTo(out);
    }

    public static MemberRecord readFrom(WireReader in) {
        return new MemberRecord(
                in.getProcess(),
                in.getLong(),
                in.getLong(),
                in.getText(),
                in.getInt(),
                in.getText(),
                HostProcess.readFrom(in));
    }
}
