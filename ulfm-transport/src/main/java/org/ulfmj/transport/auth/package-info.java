/**
 * The right to talk to a job: one random {@link org.ulfmj.transport.auth.JobSecret}, and a mutual
 * {@link org.ulfmj.transport.auth.Handshake} under it that comes before any other byte of a connection is looked at.
 * {@link org.ulfmj.transport.auth.Strangers} limits the connections whose other end has not given a proof yet.
 */
package org.ulfmj.transport.auth;
