/**
 * What every protocol object is made of: who ({@link org.ulfmj.protocol.ProcessId}), how it is driven
 * ({@link org.ulfmj.protocol.Protocol}, {@link org.ulfmj.protocol.Outbox}), over whom
 * ({@link org.ulfmj.protocol.Membership}, {@link org.ulfmj.protocol.SlotRuns}, {@link org.ulfmj.protocol.SlotSet}) and
 * how it is written down ({@link org.ulfmj.protocol.WireWriter}, {@link org.ulfmj.protocol.WireReader}).
 *
 * <p>Nothing here reads a clock, starts a thread, opens a socket or draws randomness.
 */
package org.ulfmj.protocol;
