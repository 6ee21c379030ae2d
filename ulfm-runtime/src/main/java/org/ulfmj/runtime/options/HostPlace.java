package org.ulfmj.runtime.options;

/**
 * The host on which a process of a job was started: all processes of one launcher, or of one host agent, are on the
 * same host in this sense.
 *
 * @param index the number of the host in the job, from 0
 * @param count how many hosts the job has, as far as that is known when the process is started
 * @param key the number that the processes of the host have in common and those of other hosts have not, as
 *     {@link org.ulfmj.transport.MemberRecord#hostKey}
 * @param address the address at which the processes listen and which they announce, as a literal: with an agent, the
 *     address by which the host reached the launcher; empty at the launcher for a host with an agent
 * @param hasAgent whether an agent has started the process, and not the launcher itself
 */
public record HostPlace(int index, int count, long key, String address, boolean hasAgent) {
    /** The address of the processes of a job on one host: no other host can reach them. */
    public static final String LOOPBACK = "127.0.0.1";

    /** The one host of a job. */
    public static HostPlace only(long key) {
        return new HostPlace(0, 1, key, LOOPBACK, false);
    }
}
