package org.ulfmj.rendezvous.etcd;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.RendezvousUrl;
import org.ulfmj.rendezvous.embed.StoreBackend;
import org.ulfmj.rendezvous.embed.StoreLine;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * The backend of {@code etcd://host:port,…/job} and, over TLS, {@code etcds://host:port,…/job}: the store of a job in
 * etcd 3.4 or later. With the job's secret, values are sealed by it.
 *
 * <table>
 * <caption>Parameters</caption>
 * <tr><th>name</th><th>meaning</th><th>default</th></tr>
 * <tr><td>{@code etcd_prefix}</td><td>what the job's keys begin with</td><td>{@code /ulfm}</td></tr>
 * <tr><td>{@code lease}</td><td>how long a process may be without contact to etcd, in seconds</td><td>15</td></tr>
 * <tr><td>{@code user}, {@code password_file}</td><td>a user, and a file with the password</td><td>none</td></tr>
 * <tr><td>{@code cacert}</td><td>file of certificates (PEM) that sign etcd's</td><td>those of the JDK</td></tr>
 * </table>
 */
public final class EtcdBackend implements StoreBackend {
    private static final int DEFAULT_PORT = 2379;
    private static final String TLS = "etcds";
    private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9._-]{1,64}){1,8}");

    /** For {@link java.util.ServiceLoader}. */
    public EtcdBackend() {}

    @Override
    public List<String> schemes() {
        return List.of("etcd", TLS);
    }

    @Override
    public List<String> parameters() {
        return List.of("etcd_prefix", "lease", "user", "password_file", "cacert");
    }

    @Override
    public StoreLine open(RendezvousUrl url, JobSecret secret, long timeoutNs) {
        EtcdKeys keys = keys(url);
        long ttlSeconds = ttlSeconds(url);
        return EtcdStore.open(
                new EtcdClient(access(url)),
                new Sealing(secret, url.job()),
                keys,
                RandomBytes.nextLong(),
                ttlSeconds,
                timeoutNs);
    }

    /**
     * Checks the parameters of this backend ({@link #parameters}) in a URL, and the files that they name.
     *
     * @throws RendezvousFailure.Refused if a parameter is wrong, or a file cannot be read; the message names it
     */
    public static void check(RendezvousUrl url) {
        keys(url);
        ttlSeconds(url);
        access(url);
    }

    static EtcdKeys keys(RendezvousUrl url) {
        String prefix = url.parameters().getOrDefault("etcd_prefix", "/ulfm");
        if (!PREFIX.matcher(prefix).matches()) {
            throw new RendezvousFailure.Refused("etcd_prefix=" + prefix
                    + "; allowed: 1 to 8 names, each after a '/', of letters, digits, '.', '_' and '-'");
        }
        return new EtcdKeys(prefix, url.job());
    }

    static long ttlSeconds(RendezvousUrl url) {
        return url.parameter("lease", 15, 2, 3600);
    }

    static EtcdAccess access(RendezvousUrl url) {
        String user = url.parameter("user");
        String passwordFile = url.parameter("password_file");
        if ((user == null) != (passwordFile == null)) {
            throw new RendezvousFailure.Refused(url + ": user and password_file are given together, or neither");
        }
        boolean isTls = url.scheme().equals(TLS);
        String authorities = url.parameter("cacert");
        if (authorities != null && !isTls) {
            throw new RendezvousFailure.Refused(
                    "cacert=" + authorities + " needs TLS: a URL that begins with etcds://");
        }
        List<URI> endpoints = new ArrayList<>();
        for (String endpoint : url.endpoints()) {
            boolean hasPort = endpoint.lastIndexOf(':') > endpoint.lastIndexOf(']');
            endpoints.add(
                    URI.create((isTls ? "https://" : "http://") + endpoint + (hasPort ? "" : ":" + DEFAULT_PORT)));
        }
        String password = passwordFile == null ? null : text(passwordFile);
        return new EtcdAccess(endpoints, authorities == null ? null : trusting(authorities), user, password);
    }

    private static String text(String passwordFile) {
        try {
            return Files.readString(Path.of(passwordFile)).strip();
        } catch (IOException e) {
            throw new RendezvousFailure.Refused(
                    RendezvousFailure.Refused.Reason.BAD_TOKEN, "password_file=" + passwordFile + ": " + e, e);
        }
    }

    private static SSLContext trusting(String authorities) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            try (var pem = Files.newInputStream(Path.of(authorities))) {
                int count = 0;
                for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    trusted.setCertificateEntry("authority" + count++, each);
                }
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new RendezvousFailure.Refused(
                    RendezvousFailure.Refused.Reason.BAD_TOKEN, "cacert=" + authorities + ": " + e, e);
        }
    }
}
