package org.ulfmj.rendezvous.embed;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The backends that the class path offers. */
final class Backends {
    private Backends() {}

    /**
     * Reads a URL. Its scheme must be that of a backend, and each of its parameters one of all schemes or of that
     * backend.
     */
    static RendezvousUrl parse(String url) {
        return RendezvousUrl.parse(url, of(url, RendezvousUrl.schemeOf(url)).parameters());
    }

    static StoreBackend of(RendezvousUrl url) {
        return of(url.toString(), url.scheme());
    }

    private static StoreBackend of(String url, String scheme) {
        List<String> schemes = new ArrayList<>();
        for (StoreBackend backend : ServiceLoader.load(StoreBackend.class, StoreBackend.class.getClassLoader())) {
            if (backend.schemes().contains(scheme)) {
                return backend;
            }
            schemes.addAll(backend.schemes());
        }
        throw new RendezvousFailure.Refused(
                "'" + url + "' has the scheme '" + scheme + "'; there are " + String.join(", ", schemes));
    }
}
