/**
 * Simulated worlds that replace their dead: survivors call {@code replace()}, a launcher starts next incarnations, and
 * newcomers are admitted by rules P1 to P14 of {@code docs/protocols/replace.md}.
 */
package org.ulfmj.check.replace;
