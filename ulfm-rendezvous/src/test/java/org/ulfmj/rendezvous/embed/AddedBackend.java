package org.ulfmj.rendezvous.embed;

import java.util.List;
import org.ulfmj.transport.auth.JobSecret;

/**
 * A backend of the store that is not part of the library, found as one in a user's jar would be. It keeps its values in
 * memory.
 */
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
