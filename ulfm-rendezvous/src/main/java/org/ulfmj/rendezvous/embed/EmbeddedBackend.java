package org.ulfmj.rendezvous.embed;

import java.net.InetSocketAddress;
import java.util.List;
import org.ulfmj.rendezvous.server.StoreHost;
import org.ulfmj.transport.auth.JobSecret;

/** The backend of {@code embedded://host:port/job}: the store of a {@link StoreHost}. It needs the job's secret. */
public final class EmbeddedBackend implements StoreBackend {
    /** For {@link java.util.ServiceLoader}. */
    public EmbeddedBackend() {}

    @Override
    public List<String> schemes() {
        return List.of("embedded");
    }

    @Override
    public List<String> parameters() {
        return List.of();
    }

    @Override
    public StoreLine open(RendezvousUrl url, JobSecret secret, long timeoutNs) {
        if (secret == null) {
            throw new RendezvousFailure.Refused(
                    RendezvousFailure.Refused.Reason.BAD_TOKEN,
                    url + " needs the secret of the job: give secret_file, or open the store with it",
                    null);
        }
        if (url.endpoints().size() != 1) {
            throw new RendezvousFailure.Refused(url + " has " + url.endpoints().size() + " endpoints; allowed: 1");
        }
        String endpoint = url.endpoints().get(0);
        int colon = endpoint.lastIndexOf(':');
        if (colon <= endpoint.lastIndexOf(']')) {
            throw new RendezvousFailure.Refused(url + " has no port; allowed: host:port");
        }
        String host = endpoint.substring(0, colon);
        int port = Integer.parseInt(endpoint.substring(colon + 1));
        return open(host, port, url.job(), secret, timeoutNs);
    }

    static StoreLine open(String host, int port, String job, JobSecret secret, long timeoutNs) {
        EmbeddedLine line = new EmbeddedLine(host, port, job, secret);
        line.awaitSession(timeoutNs);
        return line;
    }

    /** The name is resolved at each dial, since a host may come back with another address. */
    static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(host, port);
    }
}
