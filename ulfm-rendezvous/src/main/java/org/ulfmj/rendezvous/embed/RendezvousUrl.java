package org.ulfmj.rendezvous.embed;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.ulfmj.protocol.NearestName;

/**
 * Where a job gathers: {@code scheme://host:port,host:port/job?name=value&…}.
 *
 * <table>
 * <caption>Parameters of every scheme</caption>
 * <tr><th>name</th><th>meaning</th><th>default</th></tr>
 * <tr><td>{@code min_workers}</td><td>how few processes make a world</td><td>1</td></tr>
 * <tr><td>{@code max_workers}</td><td>how many there may be</td><td>{@code min_workers}</td></tr>
 * <tr><td>{@code timeout}</td><td>how long to wait for a world, in seconds</td><td>600</td></tr>
 * <tr><td>{@code last_call_timeout}</td><td>how long a world that has the fewest waits for more, in seconds</td>
 *     <td>30</td></tr>
 * <tr><td>{@code secret_file}</td><td>file of mode 0600 at most with the job's secret, 32 bytes</td><td>none</td></tr>
 * </table>
 *
 * @param scheme names the backend
 * @param endpoints each {@code host:port}, or {@code host} alone where the backend allows that
 * @param job its name: 1 to 128 letters, digits, {@code .}, {@code _} and {@code -}
 * @param parameters the values of {@code secret_file} and of the backend's own parameters, by their names
 */
public record RendezvousUrl(
        String scheme,
        List<String> endpoints,
        String job,
        int minWorkers,
        int maxWorkers,
        Duration timeout,
        Duration lastCallTimeout,
        Map<String, String> parameters) {
    private static final int LONGEST = 4096;
    private static final int MOST_WORKERS = 4096;
    private static final long MOST_SECONDS = 31_536_000;
    private static final Pattern JOB = Pattern.compile("[A-Za-z0-9._-]{1,128}");
    private static final Pattern ENDPOINT =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]{0,31}");
    private static final List<String> COMMON =
            List.of("min_workers", "max_workers", "timeout", "last_call_timeout", "secret_file");

    public RendezvousUrl {
        endpoints = List.copyOf(endpoints);
        parameters = Map.copyOf(parameters);
    }

    /** The scheme of a URL, of which the rest need not be right. */
    static String schemeOf(String url) {
        int end = url.indexOf("://");
        String scheme = end < 0 ? "" : url.substring(0, end);
        if (!SCHEME.matcher(scheme).matches()) {
            throw wrong("'" + url + "' is no URL of a rendezvous: scheme://host:port/job?name=value&… is expected");
        }
        return scheme;
    }

    /**
     * Reads a URL.
     *
     * @param known names of further parameters
     * @throws RendezvousFailure.Refused if the URL is not of that form; the message says what is wrong
     */
    public static RendezvousUrl parse(String url, List<String> known) {
        if (url.length() > LONGEST) {
            throw wrong(
                    "the URL of a rendezvous has " + url.length() + " characters, at most " + LONGEST + " are allowed");
        }
        String scheme = schemeOf(url);
        String rest = url.substring(scheme.length() + 3);
        int query = rest.indexOf('?');
        String place = query < 0 ? rest : rest.substring(0, query);
        int slash = place.indexOf('/');
        String job = slash < 0 ? "" : place.substring(slash + 1);
        if (!JOB.matcher(job).matches()) {
            throw wrong("the job of a rendezvous is '" + job + "' in '" + url
                    + "'; allowed: 1 to 128 letters, digits, '.', '_' and '-'");
        }
        Map<String, String> values = values(query < 0 ? "" : rest.substring(query + 1), known);
        int min = (int) number(values, "min_workers", 1, 1, MOST_WORKERS);
        int max = (int) number(values, "max_workers", min, 1, MOST_WORKERS);
        if (max < min) {
            throw wrong("max_workers=" + max + " is below min_workers=" + min + "; allowed: at least min_workers");
        }
        Duration timeout = Duration.ofSeconds(number(values, "timeout", 600, 1, MOST_SECONDS));
        Duration lastCall = Duration.ofSeconds(number(values, "last_call_timeout", 30, 1, MOST_SECONDS));
        return new RendezvousUrl(
                scheme, endpoints(place.substring(0, slash), url), job, min, max, timeout, lastCall, values);
    }

    private static List<String> endpoints(String text, String url) {
        List<String> endpoints = new ArrayList<>();
        for (String endpoint : text.split(",", -1)) {
            boolean isRight = ENDPOINT.matcher(endpoint).matches();
            int colon = endpoint.lastIndexOf(':');
            if (isRight && colon > endpoint.lastIndexOf(']') && colon > 0) {
                int port = Integer.parseInt(endpoint.substring(colon + 1));
                isRight = port >= 1 && port <= 65_535;
            }
            if (!isRight) {
                throw wrong("an endpoint of a rendezvous is '" + endpoint + "' in '" + url
                        + "'; allowed: a name or an address (IPv6 in brackets), ':' and a port from 1 to 65535");
            }
            endpoints.add(endpoint);
        }
        return endpoints;
    }

    private static Map<String, String> values(String query, List<String> known) {
        List<String> names = new ArrayList<>(COMMON);
        names.addAll(known);
        Map<String, String> values = new TreeMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!names.contains(name)) {
                throw wrong("a rendezvous has no parameter '" + name + "'" + NearestName.question(name, names)
                        + "; allowed: " + String.join(", ", names));
            }
            String value = equals < 0 ? "" : decoded(name, pair.substring(equals + 1));
            if (value.isEmpty()) {
                throw wrong("the parameter '" + name + "' of a rendezvous has no value");
            }
            if (values.put(name, value) != null) {
                throw wrong("the parameter '" + name + "' of a rendezvous is given twice");
            }
        }
        return values;
    }

    private static String decoded(String name, String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong(name + "=" + value + ": '%' needs two hexadecimal digits after it");
        }
    }

    /** A parameter that is a whole number. */
    private static long number(Map<String, String> values, String name, long absent, long least, long most) {
        String value = values.remove(name);
        if (value == null) {
            return absent;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The error is thrown below, as for a number outside of the range.
        }
        throw wrong(name + "=" + value + "; allowed: a whole number from " + least + " to " + most);
    }

    /** The value of one of the {@link #parameters}; null if the URL does not have it. */
    public String parameter(String name) {
        return parameters.get(name);
    }

    /**
     * As {@link #parameter(String)}, for a whole number; {@code absent} if the URL does not have it.
     *
     * @throws RendezvousFailure.Refused if the value is no whole number from {@code least} to {@code most}
     */
    public long parameter(String name, long absent, long least, long most) {
        return number(new TreeMap<>(parameters), name, absent, least, most);
    }

    private static RendezvousFailure.Refused wrong(String message) {
        return new RendezvousFailure.Refused(message);
    }

    /** The URL without its parameters. */
    @Override
    public String toString() {
        return scheme + "://" + String.join(",", endpoints) + "/" + job;
    }
}
