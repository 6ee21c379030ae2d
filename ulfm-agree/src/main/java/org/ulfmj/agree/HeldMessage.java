package org.ulfmj.agree;

import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.protocol.ProcessId;

/** A message that is handled later than it arrived, with its sender. */
record HeldMessage(ProcessId from, ControlMessage message) {}
