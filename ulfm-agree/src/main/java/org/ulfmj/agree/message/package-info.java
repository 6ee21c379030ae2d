/**
 * What survivors say to each other: contributions and decisions of agreements, offers of newcomers and the word that
 * admits one, and their form on the wire.
 */
package org.ulfmj.agree.message;
