package org.ulfmj.rendezvous.embed;

import java.util.List;
import org.ulfmj.transport.auth.JobSecret;

/**
 * A place where values can be stored, chosen by the scheme of a URL. Backends are found by
 * {@link java.util.ServiceLoader}: a jar names its classes in
 * {@code META-INF/services/org.ulfmj.rendezvous.embed.StoreBackend}. A class needs a public constructor without
 * arguments.
 */
public interface StoreBackend {
    /** The schemes of this backend's URLs: {@code etcd} for {@code etcd://…}. */
    List<String> schemes();

    /** The parameters of this backend's URLs, without those that {@link RendezvousUrl} knows by itself. */
    List<String> parameters();

    /**
     * Opens a line to the store of a job; different jobs have different stores.
     *
     * @param secret of the job; null if the caller has none
     * @param timeoutNs how long this may take
     * @throws RendezvousFailure if there is no store, it does not let this process in, or the URL is wrong
     */
    StoreLine open(RendezvousUrl url, JobSecret secret, long timeoutNs);
}
