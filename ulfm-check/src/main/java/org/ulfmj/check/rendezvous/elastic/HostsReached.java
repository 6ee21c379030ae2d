package org.ulfmj.check.rendezvous.elastic;

/** Which hosts the launcher reaches, through their agents. The launcher's own host is host 0. */
interface HostsReached {
    boolean isReached(int host);
}
