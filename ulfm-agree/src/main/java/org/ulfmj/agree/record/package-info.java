/**
 * What a survivor core remembers: decisions by their number, messages for communicators that do not exist yet, and ids
 * of those that are gone.
 */
package org.ulfmj.agree.record;
