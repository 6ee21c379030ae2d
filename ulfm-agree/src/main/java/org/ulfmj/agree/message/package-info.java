/**
 * The messages of survivors to each other: contributions and decisions of agreements, offers of newcomers, the welcome
 * that admits one, and their form on the wire.
 */
package org.ulfmj.agree.message;
