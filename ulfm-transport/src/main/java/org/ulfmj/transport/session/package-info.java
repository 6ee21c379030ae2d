/**
 * One pair of ranks over one connection at a time: which rank dials, which of two crossing connections is used, which
 * frames have arrived, and how the link ends. {@link org.ulfmj.transport.session.LinkSession} reads no clock and opens
 * no socket; its driver carries out its {@link org.ulfmj.transport.session.LinkActions}.
 */
package org.ulfmj.transport.session;
