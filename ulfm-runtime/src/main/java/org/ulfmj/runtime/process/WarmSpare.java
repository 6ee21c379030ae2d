package org.ulfmj.runtime.process;

import java.net.InetSocketAddress;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.client.SpareRequest;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.runtime.RankRehearsal;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.auth.JobSecret;

/**
 * How a spare waits: a process without a slot, which mpiexec keeps until a slot needs a process. It waits in
 * {@code MPI.Init}. Everything that takes a virtual machine long is done before, so that it joins in milliseconds.
 */
final class WarmSpare {
    private WarmSpare() {}

    /**
     * Waits until this process gets a slot. If the job ends first, the process was not needed, and ends here.
     *
     * @param nonce the nonce with which the process will join
     */
    static LaunchEnvironment awaitSlot(
            LaunchEnvironment place, InetSocketAddress rendezvous, Options options, JobSecret secret, long nonce) {
        LateStart.loadUnixSockets();
        Rehearsal.play(Rehearsal.WITHOUT_REST);
        RankRehearsal.play(Rehearsal.WITHOUT_REST);
        try {
            ProcessId slot = RendezvousClient.awaitAssignment(new SpareRequest(
                    rendezvous,
                    place.runId(),
                    place.spare(),
                    nonce,
                    secret,
                    options.hash(),
                    RankBootstrap.launcherBudgetNs(options, place.host()),
                    options.protection()));
            return place.assigned(slot);
        } catch (RendezvousException refusal) {
            if (refusal.reason() == OutReason.CLOSED) {
                ProcessEnd.idle();
            }
            throw refusal;
        }
    }
}
