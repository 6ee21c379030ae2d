package org.ulfmj.rendezvous.embed;

import java.util.List;
import org.ulfmj.transport.auth.JobSecret;

/** A backend that is added to those of the library, as a jar of a user's would. It keeps its values in memory. */
public final class AddedBackend implements StoreBackend {
    @Override
    public List<String> schemes() {
        return List.of("added");
    }

    @Override
    public List<String> parameters() {
        return List.of("colour");
    }

    @Override
    public StoreLine open(RendezvousUrl url, JobSecret secret, long timeoutNs) {
        return new MemoryBackend()
                .open(RendezvousUrl.parse("memory://" + url.parameter("colour") + "/j", List.of()), secret, timeoutNs);
    }
}
