/** Every schedule of a small world of two link sessions, on the shipped class. */
package org.ulfmj.check.exhaustive.link;
