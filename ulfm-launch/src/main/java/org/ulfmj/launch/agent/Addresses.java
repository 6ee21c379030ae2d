package org.ulfmj.launch.agent;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds the addresses of this host at which other hosts may reach it. */
public final class Addresses {
    private Addresses() {}

    /** Returns an address as a literal, without the name of an interface (scope). */
    static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    /**
     * Returns the chosen addresses of the network interfaces that are up, as literals, IPv4 first.
     *
     * @param chosen the name of an interface, an address, or a network such as {@code 10.0.0.0/8}; several are
     *     separated by commas; empty for all but loopback and link-local addresses
     * @throws IOException if none fits, if a network in {@code chosen} is malformed, or if the interfaces cannot be
     *     listed
     */
    public static List<String> of(String chosen) throws IOException {
        List<String> fitting = new ArrayList<>();
        List<String> others = new ArrayList<>();
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!each.isUp()) {
                    continue;
                }
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    boolean fits = chosen.isEmpty() ? isUsual(address) : isChosen(chosen, each.getName(), address);
                    (fits ? fitting : others).add(literal(address));
                }
            }
        } catch (SocketException e) {
            throw new IOException("the network interfaces cannot be listed: " + e.getMessage(), e);
        }
        if (fitting.isEmpty()) {
            throw new IOException(
                    chosen.isEmpty()
                            ? "no network interface but loopback is up, and the job has other hosts"
                            : "ulfm.net.interface: no interface that is up fits '" + chosen + "'; there are: "
                                    + String.join(", ", others));
        }
        fitting.sort((one, other) -> Boolean.compare(one.indexOf(':') >= 0, other.indexOf(':') >= 0));
        return fitting;
    }

    private static boolean isUsual(InetAddress address) {
        return !address.isLoopbackAddress() && !address.isLinkLocalAddress() && !address.isMulticastAddress();
    }

    private static boolean isChosen(String chosen, String name, InetAddress address) throws IOException {
        for (String each : chosen.split(",")) {
            String word = each.trim();
            int slash = word.indexOf('/');
            if (word.equals(name) || slash >= 0 && isIn(word, slash, address)) {
                return !(address instanceof Inet6Address && address.isLinkLocalAddress());
            }
            if (slash < 0 && isLiteral(word) && InetAddress.getByName(word).equals(address)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLiteral(String word) {
        return word.indexOf(':') >= 0 || word.matches("[0-9.]+");
    }

    private static boolean isIn(String network, int slash, InetAddress address) throws IOException {
        byte[] wanted;
        int bits;
        try {
            if (!isLiteral(network.substring(0, slash))) {
                throw new NumberFormatException(network);
            }
            wanted = InetAddress.getByName(network.substring(0, slash)).getAddress();
            bits = Integer.parseInt(network.substring(slash + 1));
        } catch (IOException | NumberFormatException wrong) {
            throw new IOException(
                    "ulfm.net.interface: '" + network + "' is no network; write one as 10.0.0.0/8 or fd00::/16", wrong);
        }
        byte[] given = address.getAddress();
        if (given.length != wanted.length) {
            return false;
        }
        for (int bit = 0; bit < Math.min(bits, Byte.SIZE * given.length); bit++) {
            int mask = 0x80 >>> bit % Byte.SIZE;
            if (((given[bit / Byte.SIZE] ^ wanted[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
