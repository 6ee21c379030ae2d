/**
 * One pair of ranks over one connection at a time: who dials, which of two crossing connections counts, what has
 * arrived, and how it ends. {@link org.ulfmj.transport.session.LinkSession} reads no clock and opens no socket; any
 * process that drives it carries out its {@link org.ulfmj.transport.session.LinkActions}.
 */
package org.ulfmj.transport.session;
