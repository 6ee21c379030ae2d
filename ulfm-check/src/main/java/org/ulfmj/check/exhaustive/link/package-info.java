/** Visits every schedule of a small world of two link sessions, with the shipped class {@code LinkSession}. */
package org.ulfmj.check.exhaustive.link;
