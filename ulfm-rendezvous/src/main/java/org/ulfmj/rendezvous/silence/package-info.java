/**
 * The judge of silences: which process is ended when one falls silent, by rules J1 to J5, for processes and hosts.
 * Pure.
 */
package org.ulfmj.rendezvous.silence;
