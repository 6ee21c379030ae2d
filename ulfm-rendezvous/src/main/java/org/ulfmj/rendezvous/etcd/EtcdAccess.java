package org.ulfmj.rendezvous.etcd;

import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * Where etcd is, and how this process proves that it may use it.
 *
 * @param endpoints as {@code http://host:port} or {@code https://host:port}; at least one
 * @param tls which servers are trusted; null for the JDK's own choice
 * @param user name of the user; null where etcd runs without authentication
 * @param password of the user; null without a user
 */
record EtcdAccess(List<URI> endpoints, SSLContext tls, String user, String password) {
    EtcdAccess {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("etcd without an endpoint");
        }
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException("a user of etcd needs a password, and a password a user");
        }
    }

    /** Without authentication. */
    static EtcdAccess of(URI... endpoints) {
        return new EtcdAccess(List.of(endpoints), null, null, null);
    }

    /** A text without the password. */
    @Override
    public String toString() {
        return "etcd at " + endpoints;
    }
}
