package examples.hosts;

import examples.RunningCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Hosts that differ only in their network: network namespaces of Linux at one bridge, with addresses of IPv4 and IPv6.
 * The bridge has a namespace too, so that nothing of this machine's own network changes, and tests that run at the same
 * time do not disturb each other. The namespaces and all processes in them are removed when the test ends, however it
 * ends.
 */
final class Namespaces implements AutoCloseable {
    private static final String CLEAN_UP = "cat >/dev/null; for n do ip netns pids \"$n\" | xargs -r kill -KILL; done;"
            + " for n do ip netns del \"$n\"; done";

    private static int made;

    private final String bridge;
    private final List<String> hosts = new ArrayList<>();
    private final Guarded guarded;

    /** The reason why no namespaces can be made here; null if they can be. */
    static String obstacle() {
        String name = "ulfm-" + ProcessHandle.current().pid() + "-can";
        try {
            RunningCommand.output("ip", "netns", "add", name);
            RunningCommand.output("ip", "netns", "del", name);
            return null;
        } catch (IOException e) {
            return "network namespaces need root and the command ip: " + e.getMessage();
        }
    }

    Namespaces(int count) throws IOException {
        String beginning = "ulfm-" + ProcessHandle.current().pid() + "-" + made++ + "-";
        bridge = beginning + "bridge";
        List<String> all = new ArrayList<>(List.of(bridge));
        for (int host = 0; host < count; host++) {
            hosts.add(beginning + host);
        }
        all.addAll(hosts);
        guarded = new Guarded(CLEAN_UP, all.toArray(String[]::new));
        try {
            RunningCommand.output("ip", "netns", "add", bridge);
            ip(bridge, "link add name switch0 type bridge forward_delay 0");
            ip(bridge, "link set switch0 up");
            for (int host = 0; host < count; host++) {
                add(host);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void add(int host) throws IOException {
        String name = hosts.get(host);
        RunningCommand.output("ip", "netns", "add", name);
        ip(bridge, "link add port" + host + " type veth peer name eth0 netns " + name);
        ip(bridge, "link set port" + host + " master switch0 up");
        ip(name, "link set lo up");
        ip(name, "address add " + address(host, false) + "/24 dev eth0");
        ip(name, "address add " + address(host, true) + "/64 dev eth0 nodad");
        ip(name, "link set eth0 up");
    }

    private static void ip(String namespace, String words) throws IOException {
        RunningCommand.output(Map.of(), RunningCommand.joined(List.of("ip", "-n", namespace), words.split(" ")));
    }

    /** The name of a host, for {@code ip netns exec}. */
    String name(int host) {
        return hosts.get(host);
    }

    String address(int host, boolean isIpv6) {
        return (isIpv6 ? "fd77::" : "10.77.0.") + (host + 1);
    }

    /** The beginning of a command line that runs the rest of it on a host. */
    List<String> on(int host) {
        return List.of("ip", "netns", "exec", hosts.get(host));
    }

    /**
     * The beginning of a command line that runs the rest of it at the bridge, which all traffic between hosts passes.
     */
    List<String> onBridge() {
        return List.of("ip", "netns", "exec", bridge);
    }

    /**
     * Takes the link of a host down: nothing goes to the host or comes from it, and the host's network interface shows
     * that.
     */
    void linkDown(int host) throws IOException {
        ip(bridge, "link set port" + host + " down");
    }

    void linkUp(int host) throws IOException {
        ip(bridge, "link set port" + host + " up");
    }

    /** Makes all that one host sends to another one get lost from now on; neither of them gets an error. */
    void cut(int from, int to) throws IOException {
        for (boolean isIpv6 : new boolean[] {false, true}) {
            ip(
                    hosts.get(from),
                    "neigh replace " + address(to, isIpv6) + " lladdr 02:00:00:00:00:01 dev eth0 nud permanent");
        }
    }

    void mend(int from, int to) throws IOException {
        for (boolean isIpv6 : new boolean[] {false, true}) {
            ip(hosts.get(from), "neigh del " + address(to, isIpv6) + " dev eth0");
        }
    }

    /** The processes on a host. */
    List<Long> pids(int host) throws IOException {
        return RunningCommand.output("ip", "netns", "pids", hosts.get(host))
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    @Override
    public void close() throws IOException {
        guarded.close();
    }
}
