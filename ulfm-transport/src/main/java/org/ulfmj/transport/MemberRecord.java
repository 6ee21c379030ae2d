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
 * @param host name or address of the host of its listener
 * @param tcpPort port of its listener
 * @param socketPath path of its Unix-domain lifeline socket; empty if it has none
 * @param process its process, as another process of the same host can look for it
 */
public record MemberRecord(ProcessId id, long nonce, String host, int tcpPort, String socketPath, HostProcess process) {

    public void writeTo(WireWriter out) {
        out.putProcess(id).putLong(nonce).putText(host).putInt(tcpPort).putText(socketPath);
        process.writeTo(out);
    }

    public static MemberRecord readFrom(WireReader in) {
        return new MemberRecord(
                in.getProcess(), in.getLong(), in.getText(), in.getInt(), in.getText(), HostProcess.readFrom(in));
    }
}
