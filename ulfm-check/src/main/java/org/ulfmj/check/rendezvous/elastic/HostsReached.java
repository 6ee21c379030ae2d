package org.ulfmj.check.rendezvous.elastic;

/** Which hosts the launcher reaches, with their agents. Its own one is host 0. */
interface HostsReached {
    boolean isReached(int host);
}
