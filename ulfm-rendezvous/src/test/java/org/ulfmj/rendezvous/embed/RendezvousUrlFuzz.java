package org.ulfmj.rendezvous.embed;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.ulfmj.sim.fuzz.FuzzTarget;

/** Fuzzes the parser of the URL of a rendezvous, which a user gives. */
final class RendezvousUrlFuzz implements FuzzTarget {
    @Override
    public List<byte[]> samples() {
        return List.of(
                "etcd://a:2379,[::1]:2380/job-1?min_workers=2&max_workers=4&timeout=60&lease=3"
                        .getBytes(StandardCharsets.UTF_8),
                "memory://here/j?secret_file=%2Ftmp%2Fs".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void parse(byte[] input) {
        RendezvousUrl.parse(new String(input, StandardCharsets.UTF_8), List.of("lease"));
    }

    @Override
    public Set<Class<? extends Exception>> refusals() {
        return Set.of(RendezvousFailure.Refused.class);
    }

    /**
     * An unknown parameter name is compared letter by letter with all known names, for which this much memory is
     * allowed.
     */
    @Override
    public long capBytes(int lengthBytes) {
        return 256 * 1024 + 4 * 1024L * lengthBytes;
    }

    @Override
    public List<String> words() {
        return List.of("://", "/", "?", "&", "=", "%", ",", ":", "[", "]", "99999999999", "-1", "min_workers=");
    }
}
