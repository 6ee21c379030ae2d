package org.ulfmj.agree;

import org.ulfmj.protocol.SlotSet;

/**
 * What a rank brings into an agreement.
 *
 * @param kind which call it made
 * @param flag combined by bitwise AND; all ones where the kind has none
 * @param acknowledged slots whose failure it has acknowledged; {@link SlotSet#ALL} where failures are no error
 */
public record Contribution(Kind kind, int flag, SlotSet acknowledged) {}
