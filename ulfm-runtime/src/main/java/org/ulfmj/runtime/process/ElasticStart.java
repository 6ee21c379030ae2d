package org.ulfmj.runtime.process;

import java.io.IOException;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.client.RendezvousException;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.office.RankOffice;
import org.ulfmj.runtime.options.JobConfiguration;
import org.ulfmj.runtime.options.LaunchEnvironment;
import org.ulfmj.runtime.options.Options;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.NameWait;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * How a process of an elastic job becomes a rank. It binds its port before it has a name, since the others are told of
 * the port first. If the world has not begun, the process gets its slot when it begins; if the world runs already, the
 * member that lets the process in gives it a slot ({@link SlotWait}). Then it begins as any other rank.
 */
final class ElasticStart {
    private ElasticStart() {}

    static RankBinding join(LaunchEnvironment started, JobConfiguration configuration, JobSecret secret)
            throws IOException {
        Options options = configuration.options();
        long nonce = RandomBytes.nextLong();
        try (NameWait port = new NameWait(
                nonce,
                secret,
                options.hash(),
                options.protection(),
                started.host().address(),
                options.timing().linkRtoNs())) {
            String socket = "life.n".concat(Long.toHexString(nonce));
            MemberRecord nameless = RankBootstrap.recordOf(started, Joiner.NAMELESS, nonce, port.port(), socket);
            RankOffice office = RankBootstrap.officeOrNull(started, configuration, secret);
            RendezvousClient client = meet(
                    started,
                    RankBootstrap.request(
                            started, configuration, secret, nameless, office == null ? null : office.whereabouts()),
                    office);
            ProcessId name = client.isPending()
                    ? new SlotWait(started.child(), options, client, port, office).await()
                    : client.me().id();
            LaunchEnvironment place = started.assigned(name);
            TcpFabric fabric = new TcpFabric(
                    new LinkIdentity(name, nonce),
                    secret,
                    options.timing(),
                    options.hash(),
                    port,
                    SystemClock.INSTANCE);
            RankFaults faults = RankBootstrap.setUp(fabric, place, configuration);
            fabric.takeStrangers(client.isPending());
            try {
                MemberRecord me = nameless.named(name);
                Media media = new Media(place, options, me, fabric);
                return RankBootstrap.begin(place, configuration, secret, me, client, fabric, media, faults, office);
            } catch (IOException | RuntimeException failed) {
                if (office != null) {
                    office.leave();
                }
                fabric.close();
                throw failed;
            }
        }
    }

    /**
     * Meets the other processes at the coordinator. Ends this process if the job does not need it.
     *
     * @param office null where the launcher alone is the coordinator
     */
    private static RendezvousClient meet(LaunchEnvironment place, JoinRequest request, RankOffice office) {
        try {
            return RendezvousClient.joinWithoutSlot(request, place.host().index(), place.child());
        } catch (RendezvousException refusal) {
            if (office != null) {
                office.finish();
            }
            if (refusal.reason() == OutReason.GONE_ON || refusal.reason() == OutReason.CLOSED) {
                ProcessEnd.notNeeded(place.child(), refusal.getMessage());
            }
            throw refusal;
        }
    }
}
