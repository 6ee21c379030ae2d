/**
 * What the protocols have in common: the identity of a process ({@link org.ulfmj.protocol.ProcessId}), the way a
 * protocol is driven ({@link org.ulfmj.protocol.Protocol}, {@link org.ulfmj.protocol.Outbox}), its members
 * ({@link org.ulfmj.protocol.Membership}, {@link org.ulfmj.protocol.SlotRuns}, {@link org.ulfmj.protocol.SlotSet}) and
 * its wire format ({@link org.ulfmj.protocol.WireWriter}, {@link org.ulfmj.protocol.WireReader}).
 *
 * <p>Nothing here reads a clock, starts a thread, opens a socket or draws randomness.
 */
package org.ulfmj.protocol;
